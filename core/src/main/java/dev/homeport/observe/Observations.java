package dev.homeport.observe;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** All that was observed: polls, what clusters reported, and who else was at the door. The rules of {@link PollLog} hold. */
public interface Observations extends PollLog {

    /** Adds reports, all or none; of two with one key the newer stays. At most one for each key. */
    void saveReports(Collection<Report> reports);

    /** Reports received at or after the given time, in no order. */
    List<Report> reportsSince(Instant time, From from);

    /** Adds what witnesses said, all or none; of two answers to one question the newer stays. At most one for each question. */
    void saveWitnesses(Collection<Witness> witnesses);

    /** Witnesses received at or after the given time, in no order. */
    List<Witness> witnessesSince(Instant time, From from);

    /** Adds to what is known of strangers. */
    void saveStrangers(Collection<Stranger> strangers);

    /** Those seen at or after the given time, latest first. */
    List<Stranger> strangersSince(Instant time, int most);

    /** Forgets strangers not seen since, all but the latest ten thousand of the others, and what clusters reported that are gone. */
    void forget(Instant before, Collection<String> goneClusters);
}
