package dev.homeport.server.poll;

import dev.homeport.observe.PollInterval;
import java.time.Duration;
import java.time.Instant;

/**
 * The last poll of one cluster for one type.
 *
 * @param since when the cluster was first given what it was given last
 * @param every how often it polls, as the poll itself says; empty when it does not
 * @param gap seconds since its poll before that one, not a number when that is not known or the interval was another one then
 * @param pace seconds between its polls as they were measured, not a number when that is not known
 */
public record PollSeen(
        Instant at,
        Instant since,
        int status,
        String digest,
        long revision,
        String shape,
        String client,
        String address,
        String every,
        float gap,
        float pace) {

    /** An outage of this server makes one long gap, which is not how often clusters poll. */
    private static final float LONGEST_PACE = 3600;

    private static final float SHORTEST_PACE = 0.001f;

    public PollSeen(Instant at, int status, String digest, long revision, String shape, String client, String address) {
        this(at, status, digest, revision, shape, client, address, "");
    }

    public PollSeen(
            Instant at,
            int status,
            String digest,
            long revision,
            String shape,
            String client,
            String address,
            String every) {
        this(at, at, status, digest, revision, shape, client, address, every, Float.NaN, Float.NaN);
    }

    /**
     * This poll, knowing the one before: the same answer again was given since then. A poll that comes early, because it was
     * requested, changes the pace by half at most.
     */
    PollSeen after(PollSeen before) {
        Instant began = digest.equals(before.digest) ? before.since : since;
        float seconds = Duration.between(before.at, at).toMillis() / 1000f;
        float half = Float.isNaN(before.pace) ? 0 : before.pace / 2;
        float now = Math.min(Math.max(seconds, half), LONGEST_PACE);
        float gap = every.equals(before.every) ? seconds : Float.NaN;
        return new PollSeen(at, began, status, digest, revision, shape, client, address, every, gap, now);
    }

    /** What {@link PollInterval} makes an interval of. */
    String shown() {
        return every.isEmpty() && pace >= SHORTEST_PACE ? PollInterval.measured(pace) : every;
    }

    /** The pace in what {@link #shown} returned. */
    static float paceOf(String shown) {
        return PollInterval.isMeasured(shown) ? PollInterval.of(shown).toMillis() / 1000f : Float.NaN;
    }
}
