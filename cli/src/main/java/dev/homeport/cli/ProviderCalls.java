package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Asks an identity provider, where nobody can listen. */
record ProviderCalls(Optional<Path> authority) {
    JsonNode post(String endpoint, Map<String, String> form) {
        URI uri = ServerOptions.url(endpoint);
        if (uri.getScheme().equals("http") && !ServerOptions.isLoopback(uri)) {
            throw new UsageProblem("the identity provider's address " + endpoint + " is not https");
        }
        String body = form.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        URI base = URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
        String path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        return new HomeportClient(new ServerAddress(base, Optional.empty(), authority, line -> {}))
                .send(
                        "POST",
                        path,
                        Map.of(),
                        Optional.of(new HomeportClient.Payload(
                                "application/x-www-form-urlencoded", body.getBytes(StandardCharsets.US_ASCII))))
                .body();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
