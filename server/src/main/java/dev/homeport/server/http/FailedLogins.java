package dev.homeport.server.http;

import dev.homeport.access.TokenText;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Counts wrong tokens by address and by token id. Only wrong ones: a thousand honest clusters may share one address with an
 * attacker, and the right secret is always accepted.
 */
public final class FailedLogins {
    private static final int A_MINUTE = 50;
    private static final int BYTES_OF_A_NETWORK = 8;
    private static final int BYTES_OF_IPV6 = 16;

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

    /** The owner of one IPv6 address has the other 2^64 of its network as well. */
    public static String network(String address) {
        return TrustedProxies.bytes(address)
                .map(bytes -> bytes.length == BYTES_OF_IPV6 ? Arrays.copyOf(bytes, BYTES_OF_A_NETWORK) : bytes)
                .map(HexFormat.of()::formatHex)
                .orElse(address);
    }
}
