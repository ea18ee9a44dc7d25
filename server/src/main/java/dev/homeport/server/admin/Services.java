package dev.homeport.server.admin;

import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.change.History;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.server.state.StateBoard;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Writer;
import java.time.InstantSource;

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
        RefusedAttempts refusals) {

    /** A source of randomness. */
    public interface RandomBytes {
        byte[] next(int count);
    }

    public Snapshot snapshot() {
        return follower.live().current();
    }
}
