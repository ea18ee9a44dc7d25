package dev.homeport.server.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the audit is forwarded to.
 *
 * @param secret sent to the address as a bearer token
 * @param authority of the address's certificate
 * @param reads whether reads are forwarded besides commits and denied attempts
 */
public record AuditSettings(
        Optional<Path> file, Optional<URI> address, Optional<String> secret, Optional<Path> authority, boolean reads) {

    /** Only https, unless nothing leaves the host. */
    static URI address(String text) {
        URI uri = URI.create(text);
        String host = uri.getHost();
        boolean loopback =
                host != null && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]"));
        if (host == null
                || uri.getUserInfo() != null
                || !("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && loopback)) {
            throw new IllegalArgumentException("is not https://…; plain http is for loopback alone");
        }
        return uri;
    }
}
