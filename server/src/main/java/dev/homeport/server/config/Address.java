package dev.homeport.server.config;

/** Where to listen. Port 0 lets the system choose. */
public record Address(String host, int port) {
    static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("is not HOST:PORT");
        }
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("has a port outside 0 to 65535");
        }
        String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
        return new Address(host.isEmpty() ? "0.0.0.0" : host, port);
    }

    public boolean isLoopback() {
        return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
