package dev.homeport.cli.login;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Sends requests to an identity provider, over TLS or loopback only. */
public record ProviderCalls(Optional<Path> authority) {
    public JsonNode post(String endpoint, Map<String, String> form) {
        URI uri = safe(endpoint);
        String body = form.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return client(uri, Optional.empty())
                .send(
                        "POST",
                        path(uri),
                        Map.of(),
                        Optional.of(new HomeportClient.Payload(
                                "application/x-www-form-urlencoded", body.getBytes(StandardCharsets.US_ASCII))))
                .body();
    }

    /** @param bearer what the provider knows the caller by */
    public JsonNode get(String endpoint, String bearer) {
        URI uri = safe(endpoint);
        return client(uri, Optional.of(bearer)).get(path(uri)).body();
    }

    private HomeportClient client(URI uri, Optional<String> bearer) {
        URI base = URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
        return new HomeportClient(new ServerAddress(base, bearer, authority, line -> {}));
    }

    private static URI safe(String endpoint) {
        URI uri = ServerOptions.url(endpoint);
        if (uri.getScheme().equals("http") && !ServerOptions.isLoopback(uri)) {
            throw new UsageProblem("the identity provider's address " + endpoint + " is not https");
        }
        return uri;
    }

    private static String path(URI uri) {
        return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
