package dev.homeport.server.poll;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * The snapshot while it is known to be the present. Otherwise clients that delete by what they read get an error, and keep what
 * they have.
 *
 * @param bound how long ago that may have been confirmed
 */
public record FreshSnapshot(LogFollower follower, Duration bound) {
    public Optional<Snapshot> find() {
        return follower.fresh(bound);
    }

    public Snapshot require() {
        return find().orElseThrow(() ->
                ProblemException.refused(ErrorCode.UNAVAILABLE, reason(), "keep what is there, and try again later"));
    }

    /** Since when it is not known for certain that nothing newer is in the log. */
    long ageMillis() {
        return follower.age().map(Duration::toMillis).orElse(0L); // nothing is served in quarantine
    }

    /** Why there is no such snapshot. */
    String reason() {
        return switch (follower.state()) {
            case FollowerState.Quarantined quarantined -> "quarantine: " + quarantined.reason();
            case FollowerState.Following _ ->
                "the end of the log was last confirmed "
                        + follower.age().map(Duration::toSeconds).orElse(0L) + " s ago; at most "
                        + bound.toSeconds()
                        + " s are allowed";
        };
    }
}
