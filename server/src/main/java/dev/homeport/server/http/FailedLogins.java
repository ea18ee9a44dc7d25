package dev.homeport.server.http;

/**
 * Counts wrong tokens by where they come from. Only wrong ones: a thousand honest clusters may share one address with whoever
 * is guessing.
 */
public final class FailedLogins {
    private static final int A_MINUTE = 50;
    private static final int GROUPS_OF_A_NETWORK = 4;

    private final Buckets buckets = new Buckets(A_MINUTE, A_MINUTE, System::nanoTime);

    /** Notes a failure; true when there have been too many. */
    public boolean tooMany(String address) {
        return !buckets.take(network(address));
    }

    /** Whoever has one IPv6 address has the other 2^64 of its network as well. */
    private static String network(String address) {
        int end = -1;
        for (int i = 0; i < GROUPS_OF_A_NETWORK; i++) {
            end = address.indexOf(':', end + 1);
            if (end < 0) {
                return address;
            }
        }
        return address.substring(0, end);
    }
}
