package dev.homeport.server.state;

import dev.homeport.access.Actor;
import dev.homeport.change.Head;
import dev.homeport.document.Document;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps in the log which observed store has seen all polls, and since when. An observed store that was lost and made again is
 * known by not holding the name that the log has, and says nothing about clusters that are older than it.
 */
public final class ObserverWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverWatch.class);

    private final PollKeeper keeper;

    public ObserverWatch(PollKeeper keeper) {
        this.keeper = keeper;
    }

    /** For the first commit of a new store. */
    public List<Operation> begun(Head head, Supplier<String> names) {
        String name = names.get();
        return keeper.mark(name, head) ? List.of(new Operation.Watch(name)) : List.of();
    }

    /** At the start of a server that writes: begins again where the observed store is another one. */
    public void begin(Snapshot snapshot, Writer writer, Supplier<String> names) {
        Document known = snapshot.find(Operation.Watch.KEY)
                .filter(document -> document.fault().isEmpty())
                .orElse(null);
        if (known != null && keeper.isMarked(name(known))) {
            return;
        }
        List<Operation> operations = begun(snapshot.head(), names);
        if (operations.isEmpty()) {
            return;
        }
        try {
            writer.write(WriteRequest.of(Actor.SYSTEM, "another observed store", operations));
        } catch (ProblemException e) {
            LOG.warn("which polls are known since when is not noted: {}", e.getMessage());
        }
    }

    boolean coversAllSince(Snapshot snapshot, long revision) {
        Document known = snapshot.find(Operation.Watch.KEY)
                .filter(document -> document.fault().isEmpty())
                .orElse(null);
        return known != null
                && known.tree().path("since").longValue(Long.MAX_VALUE) <= revision
                && keeper.isMarked(name(known));
    }

    private static String name(Document document) {
        return document.tree().path("name").stringValue("");
    }
}
