package dev.homeport.server.admin;

import dev.homeport.access.Caller;
import dev.homeport.access.MasterKey;
import dev.homeport.access.Powers;
import dev.homeport.access.Rights;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.server.audit.AuditService;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.poll.FreshSnapshot;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.server.state.StateBoard;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Writer;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What the admin plane's routes work with.
 *
 * @param randomBytes as many random bytes as asked for, for new tokens
 */
public record Services(
        LogFollower follower,
        Writer writer,
        History history,
        Rights rights,
        MasterKey master,
        LastSeen lastSeen,
        StateBoard board,
        PollKeeper keeper,
        ServerSettings settings,
        InstantSource clock,
        RandomBytes randomBytes,
        RefusedAttempts refusals,
        HeldExpiries heldExpiries,
        ConnectionLimits connections,
        Loops loops,
        AuditService audit) {

    /** A source of randomness. */
    public interface RandomBytes {
        byte[] next(int count);
    }

    /** What a caller may see and do now. */
    public Powers powers(Caller caller) {
        return rights.powers(snapshot(), caller);
    }

    /** A document, if it is there for the caller. */
    public Optional<Document> seen(Caller caller, DocumentKey key) {
        return snapshot().find(key).filter(powers(caller)::sees);
    }

    /** Takes in what other servers have written meanwhile. */
    public void catchUp() {
        follower.catchUp();
    }

    /** For what clients delete by. */
    public FreshSnapshot freshness() {
        return new FreshSnapshot(follower, settings.freshness());
    }

    public Snapshot snapshot() {
        return follower.live().current();
    }
}
