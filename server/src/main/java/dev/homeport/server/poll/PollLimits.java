package dev.homeport.server.poll;

import dev.homeport.server.http.Buckets;
import dev.homeport.server.http.FailedLogins;

/**
 * How much is too much.
 *
 * @param perToken polls of one cluster's token; tokens that read the whole fleet are not limited, as many clusters may use one
 */
public record PollLimits(Buckets perToken, FailedLogins failedLogins) {
    private static final int SECONDS_OF_BURST = 5;

    /** @param perSecond polls of one cluster's token, 0 for any number */
    public static PollLimits of(long perSecond, FailedLogins failedLogins) {
        return new PollLimits(
                new Buckets(perSecond * 60, perSecond * SECONDS_OF_BURST, System::nanoTime), failedLogins);
    }
}
