package dev.homeport.server.http;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The networks whose PROXY protocol and X-Forwarded-For headers are trusted to name the client's address. Any other client
 * can write anything into them, and is known by the address that it connects from.
 */
public final class TrustedProxies {
    private static final String FORWARDED = "x-forwarded-for";

    private final List<Network> networks;

    private TrustedProxies(List<Network> networks) {
        this.networks = networks;
    }

    /** Addresses that begin with these bits. */
    private record Network(byte[] start, int bits) {
        boolean contains(byte[] address) {
            if (address.length != start.length) {
                return false;
            }
            int whole = bits / 8;
            if (!Arrays.equals(address, 0, whole, start, 0, whole)) {
                return false;
            }
            int rest = bits % 8;
            int mask = rest == 0 ? 0 : 0xff << (8 - rest);
            return rest == 0 || (address[whole] & mask) == (start[whole] & mask);
        }
    }

    /** @param text addresses and networks such as {@code 10.0.0.0/8}, with commas between */
    public static TrustedProxies parse(String text) {
        List<Network> networks = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                networks.add(network(part.strip()));
            }
        }
        return new TrustedProxies(List.copyOf(networks));
    }

    private static Network network(String text) {
        int slash = text.indexOf('/');
        byte[] start = bytes(slash < 0 ? text : text.substring(0, slash))
                .orElseThrow(() -> new IllegalArgumentException(
                        "has \"" + text + "\" in it, which is neither an address nor a network such as 10.0.0.0/8"));
        int most = start.length * 8;
        int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("has \"" + text + "\" in it, which has more than " + most + " bits");
        }
        return new Network(start, bits);
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    /** Where the request comes from, as far as that is known for certain. */
    public String client(RequestView request) {
        String peer = request.peer();
        if (networks.isEmpty() || !isTrusted(peer)) {
            return peer;
        }
        String proxied = request.proxied();
        return isTrusted(proxied) ? beyond(proxied, request.headers(FORWARDED)) : proxied;
    }

    /**
     * Each proxy appends the address it was called from, so the list is trusted from the end for as long as it names trusted
     * proxies.
     */
    String beyond(String nearest, List<String> headers) {
        String known = nearest;
        for (String header : headers.reversed()) {
            for (String hop : Arrays.asList(header.split(",", -1)).reversed()) {
                Optional<String> address = hop(hop.strip());
                if (address.isEmpty()) {
                    return known;
                }
                known = address.get();
                if (!isTrusted(known)) {
                    return known;
                }
            }
        }
        return known;
    }

    public boolean isTrusted(String address) {
        if (networks.isEmpty()) {
            return false;
        }
        byte[] bytes = bytes(address).orElse(null);
        return bytes != null && networks.stream().anyMatch(network -> network.contains(bytes));
    }

    /** Some proxies add the port. */
    private static Optional<String> hop(String text) {
        String address = text;
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            address = end < 0 ? text : text.substring(1, end);
        } else if (text.indexOf(':') >= 0 && text.indexOf(':') == text.lastIndexOf(':')) {
            address = text.substring(0, text.indexOf(':'));
        }
        return bytes(address).map(TrustedProxies::text);
    }

    /** Never asks a name server. An IPv4 address written as an IPv6 one is the same address. */
    static Optional<byte[]> bytes(String address) {
        int scope = address.indexOf('%');
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(scope < 0 ? address : address.substring(0, scope));
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(bytes).getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static String text(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
