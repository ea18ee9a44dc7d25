package dev.homeport.server.stream;

import dev.homeport.access.Powers;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitOutline;
import dev.homeport.document.Types;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.server.state.StateChange;
import dev.homeport.snapshot.PublishedCommit;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Commits in the form of server-sent events. An event's id is {@code <epoch>-<revision>}, as in an ETag. */
final class Events {
    static final String HEARTBEAT = ": still here\n\n";

    private static final int MOST_CHANGES = 100;
    private static final int RETRY_MILLIS = 3000;

    private final TypeFilter filter;

    Events(TypeFilter filter) {
        this.filter = filter;
    }

    /** The revision that a reader has seen, if the changes since then can still be sent. */
    static Optional<Long> resume(String id, Snapshot snapshot, long longestGap) {
        if (!id.matches("[0-9]{1,18}-[0-9]{1,18}")) {
            return Optional.empty();
        }
        int dash = id.indexOf('-');
        long epoch = Long.parseLong(id.substring(0, dash));
        long revision = Long.parseLong(id.substring(dash + 1));
        boolean known = epoch == snapshot.head().epoch()
                && revision <= snapshot.revision()
                && snapshot.revision() - revision <= longestGap;
        return known ? Optional.of(revision) : Optional.empty();
    }

    /** The first event: where the stream begins. */
    String ready(long epoch, long revision) {
        return "retry: " + RETRY_MILLIS + "\n"
                + event("ready", epoch, revision, StrictJson.object().put("revision", revision));
    }

    /** The missed changes cannot be sent: the reader must read all documents again. */
    String reset(Snapshot snapshot) {
        ObjectNode data = StrictJson.object().put("revision", snapshot.revision());
        return event("reset", snapshot.head().epoch(), snapshot.revision(), data);
    }

    /** Written once for all readers that see everything and ask for the same types. Empty when nothing in it is of interest. */
    String of(PublishedCommit commit, Powers powers) {
        return powers.seesAll()
                ? commit.text(filter, () -> of(commit.recorded().outline(), Visibility.of(powers, commit)))
                : of(commit.recorded().outline(), Visibility.of(powers, commit));
    }

    /** Empty when nothing in it is of interest. */
    String of(CommitOutline outline, Visibility visibility) {
        Commit commit = outline.commit();
        List<ObjectNode> changes = changes(outline, visibility);
        if (changes.isEmpty()) {
            return "";
        }
        ObjectNode data = StrictJson.object()
                .put("revision", commit.revision())
                .put("at", commit.at().toString())
                .put("actor", commit.actor().toString())
                .put("reason", visibility.text(commit.reason()))
                .put("change_count", changes.size());
        ArrayNode shown = data.putArray("changes");
        changes.stream().limit(MOST_CHANGES).forEach(shown::add);
        return event("commit", commit.epoch(), commit.revision(), data);
    }

    /**
     * Changes of state, together. They have no id: a client that reconnects reads the states again. Empty if the client has
     * not asked for them.
     */
    String of(List<StateChange> states) {
        if (!filter.takes(Types.CLUSTER) || states.isEmpty()) {
            return "";
        }
        ObjectNode data = StrictJson.object().put("change_count", states.size());
        ArrayNode shown = data.putArray("changes");
        states.stream()
                .limit(MOST_CHANGES)
                .forEach(change -> shown.addObject()
                        .put("cluster", change.cluster())
                        .put("was", change.was().word())
                        .put("state", change.is().word())
                        .put("at", change.at().toString()));
        return "event: state\ndata: " + CanonicalJson.text(data) + "\n\n";
    }

    private List<ObjectNode> changes(CommitOutline outline, Visibility visibility) {
        List<ObjectNode> changes = new ArrayList<>();
        Set<String> clusters = new HashSet<>();
        for (ChangeOutline change : outline.changes()) {
            boolean life = change.key().type().equals(Types.CLUSTER_LIFE);
            String type = life ? Types.CLUSTER : change.key().type();
            // For clients, Homeport's record of a cluster is a part of the cluster.
            boolean isNew =
                    !type.equals(Types.CLUSTER) || clusters.add(change.key().id());
            String happened = life ? "changed" : word(change);
            if (isNew && filter.takes(type)) {
                visibility
                        .of(change, happened)
                        .ifPresent(seen -> changes.add(StrictJson.object()
                                .put("type", type)
                                .put("id", change.key().id())
                                .put("change", seen)));
            }
        }
        return changes;
    }

    private static String word(ChangeOutline change) {
        if (change.removes()) {
            return "removed";
        }
        return change.creates() ? "created" : "changed";
    }

    private static String event(String name, long epoch, long revision, ObjectNode data) {
        return "event: " + name + "\nid: " + epoch + "-" + revision + "\ndata: " + CanonicalJson.text(data) + "\n\n";
    }
}
