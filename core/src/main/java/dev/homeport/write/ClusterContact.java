package dev.homeport.write;

import java.util.List;

/** What is known from polls and reports. It is not in the log, so it is passed to the writer. */
public interface ClusterContact {
    /** False only when the cluster certainly never asked for anything: then nothing on it can be ours. */
    boolean mayHavePolled(String cluster);

    /** True when it certainly got answers, also when the log knows nothing of it, as after the restore of a backup. */
    default boolean wasServed(String cluster) {
        return false;
    }

    /** True when it polls the flat shape, and so makes objects by templates that Homeport does not know. */
    default boolean pollsFlat(String cluster) {
        return false;
    }

    /** True when a leaving cluster has reported that everything is gone. */
    boolean drained(String cluster);

    /** What is still on a leaving cluster or not known to be gone, and why, in words; empty when it is drained. */
    default List<String> leftOn(String cluster) {
        return drained(cluster) ? List.of() : List.of("it has not reported that everything is gone");
    }

    /** True when the cluster has applied that its namespaces are no longer kept. */
    boolean released(String cluster);

    /** For when nothing is known: assume what is safe. */
    ClusterContact UNKNOWN = new ClusterContact() {
        @Override
        public boolean mayHavePolled(String cluster) {
            return true;
        }

        @Override
        public boolean drained(String cluster) {
            return false;
        }

        @Override
        public boolean released(String cluster) {
            return false;
        }
    };
}
