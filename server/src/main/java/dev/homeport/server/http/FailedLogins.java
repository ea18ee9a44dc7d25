package dev.homeport.server.http;

import dev.homeport.access.TokenText;
import java.util.Optional;

/**
 * Counts wrong tokens by where they come from, and by which token they pretend to be. Only wrong ones: a thousand honest
 * clusters may share one address with whoever is guessing, and whoever holds the right secret is always let in.
 */
public final class FailedLogins {
    private static final int A_MINUTE = 50;
    private static final int GROUPS_OF_A_NETWORK = 4;

    private final Buckets addresses = new Buckets(A_MINUTE, A_MINUTE, System::nanoTime);
    private final Buckets tokens = new Buckets(A_MINUTE, A_MINUTE, System::nanoTime);

    /**
     * Notes a failure; true when there have been too many.
     *
     * @param token what was sent as a token, if anything
     */
    public boolean tooMany(String address, Optional<String> token) {
        boolean fromThere = !addresses.take(network(address));
        boolean ofThatId = token.flatMap(TokenText::parse)
                .map(known -> !tokens.take(known.id()))
                .orElse(false);
        return fromThere || ofThatId;
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
