package dev.homeport.server.storage;

import dev.homeport.server.config.BadSettings;
import dev.homeport.store.PostgresSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A PostgreSQL address as libpq reads it, with one or several hosts, turned into the driver's.
 *
 * @param hosts each with its port, if it has one
 * @param parameters under the driver's names
 */
public record PostgresUrl(
        List<String> hosts, String path, String user, String password, Map<String, String> parameters) {
    private static final String SSLMODE = "sslmode";
    private static final String TARGET = "targetServerType";

    private static final Map<String, String> NAMES = Map.of(
            "target_session_attrs", TARGET,
            "load_balance_hosts", "loadBalanceHosts",
            "connect_timeout", "connectTimeout",
            "application_name", "ApplicationName",
            "channel_binding", "channelBinding",
            "gssencmode", "gssEncMode");

    private static final Map<String, String> TARGETS = Map.of(
            "any", "any",
            "read-write", "primary",
            "primary", "primary",
            "read-only", "secondary",
            "standby", "secondary",
            "prefer-standby", "preferSecondary");

    /** Refuses what is no address, and one on which passwords and the whole fleet could be read or changed on the way. */
    public static PostgresUrl parse(String url) {
        PostgresUrl parsed = split(url);
        if (!parsed.isLoopback() && !parsed.parameters.containsKey(SSLMODE)) {
            throw refused("database_url names " + String.join(",", parsed.hosts) + " and no sslmode, so the"
                    + " server's certificate would not be verified. Add ?sslmode=verify-full, with &sslrootcert=FILE for a CA of your own."
                    + " For a network that you trust say sslmode=disable");
        }
        return parsed;
    }

    private static PostgresUrl split(String url) {
        try {
            URI uri = new URI(url);
            String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
            int at = authority.lastIndexOf('@');
            String[] login = at < 0 ? new String[0] : authority.substring(0, at).split(":", 2);
            Map<String, String> parameters = parameters(uri.getRawQuery());
            List<String> hosts = hosts(authority.substring(at + 1));
            if (hosts.size() > 1) {
                // The one that can be written to is also the one that is newest.
                parameters.putIfAbsent(TARGET, "primary");
            }
            String user = login.length > 0 ? decoded(login[0]) : parameters.get("user");
            String password = login.length > 1 ? decoded(login[1]) : parameters.get("password");
            parameters.remove("user");
            parameters.remove("password");
            return new PostgresUrl(
                    hosts,
                    uri.getRawPath() == null ? "" : uri.getRawPath(),
                    user == null ? "postgres" : user,
                    password == null ? "" : password,
                    parameters);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw refused(
                    "database_url is not a URL: postgresql://user:password@host:port/database, or several hosts as"
                            + " host1:port1,host2:port2");
        }
    }

    public PostgresSettings settings() {
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return new PostgresSettings(
                "jdbc:postgresql://" + String.join(",", hosts) + path + (query.isEmpty() ? "" : "?" + query),
                user,
                password);
    }

    /** Why an attacker between this server and the database could read or change the traffic. */
    public Optional<String> weakness() {
        String mode = parameters.getOrDefault(SSLMODE, "");
        return isLoopback() || mode.equals("verify-full")
                ? Optional.empty()
                : Optional.of("the connection to the database has sslmode=" + mode + ": the certificate of "
                        + String.join(",", hosts) + " is not verified; use verify-full");
    }

    private boolean isLoopback() {
        return hosts.stream().allMatch(PostgresUrl::isLoopback);
    }

    private static boolean isLoopback(String host) {
        String name = host.startsWith("[") ? host.substring(0, host.indexOf(']') + 1) : host.split(":", 2)[0];
        return name.equals("localhost") || name.equals("[::1]") || name.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }

    private static List<String> hosts(String text) {
        List<String> hosts = new ArrayList<>();
        for (String host : text.split(",", -1)) {
            if (!host.matches("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+)(:\\d{1,5})?")) {
                throw new IllegalArgumentException(host);
            }
            hosts.add(host);
        }
        return hosts;
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String one : query.split("&", -1)) {
            String[] words = one.split("=", 2);
            String name = decoded(words[0]);
            String value = words.length > 1 ? decoded(words[1]) : "";
            parameters.put(NAMES.getOrDefault(name, name), value(name, value));
        }
        return parameters;
    }

    private static String value(String name, String value) {
        return switch (name) {
            case "target_session_attrs" -> {
                String target = TARGETS.get(value);
                if (target == null) {
                    throw refused("database_url has target_session_attrs=" + value + ": it is one of "
                            + String.join(
                                    ", ", TARGETS.keySet().stream().sorted().toList()));
                }
                yield target;
            }
            case "load_balance_hosts" -> Boolean.toString(value.equals("random"));
            default -> value;
        };
    }

    private static String decoded(String text) {
        // A plus sign stays one, as libpq has it.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static BadSettings refused(String why) {
        return new BadSettings(List.of(why));
    }
}
