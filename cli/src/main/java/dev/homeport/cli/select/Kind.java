package dev.homeport.cli.select;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.server.NotHere;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A type as the command line meets it.
 *
 * @param name as documents have it, {@code platform_component}
 * @param plural as paths have it, {@code platform-components}
 */
public record Kind(String name, String plural) {
    public static final Kind CLUSTER = new Kind("cluster", "clusters");
    public static final Kind COMPONENT = new Kind("platform_component", "platform-components");
    public static final Kind CHANGE = new Kind("change", "changes");

    private record Spelled(Kind kind, List<String> words) {}

    private static final List<Spelled> KNOWN = List.of(
            new Spelled(CLUSTER, List.of("cl")),
            new Spelled(COMPONENT, List.of("co", "component", "components")),
            new Spelled(CHANGE, List.of("ch")),
            new Spelled(new Kind("namespace", "namespaces"), List.of("ns")),
            new Spelled(new Kind("rolebinding", "rolebindings"), List.of("rb")),
            new Spelled(new Kind("workspace", "workspaces"), List.of("ws")),
            new Spelled(new Kind("cluster_template", "cluster-templates"), List.of("template", "templates", "ct")),
            new Spelled(new Kind("environment", "environments"), List.of("env", "envs")),
            new Spelled(new Kind("freeze", "freezes"), List.of()),
            new Spelled(new Kind("token", "tokens"), List.of()),
            new Spelled(new Kind("probe", "probes"), List.of()),
            new Spelled(new Kind("type", "types"), List.of()),
            new Spelled(new Kind("settings", "settings"), List.of("setting")),
            new Spelled(new Kind("access_role", "access-roles"), List.of()),
            new Spelled(new Kind("access_grant", "access-grants"), List.of()));

    /** Every built-in one that has documents. */
    public static List<Kind> builtIn() {
        return KNOWN.stream()
                .map(Spelled::kind)
                .filter(kind -> !kind.equals(CHANGE))
                .toList();
    }

    /** By singular, plural or a short word. */
    public static Optional<Kind> known(String word) {
        String plain = word.toLowerCase(Locale.ROOT).replace('_', '-');
        return KNOWN.stream()
                .filter(one -> one.kind().plural().equals(plain)
                        || one.kind().name().replace('_', '-').equals(plain)
                        || one.words().contains(plain))
                .map(Spelled::kind)
                .findFirst();
    }

    /** Types that were added at run time are known to the server alone. */
    public static Kind of(String word, HomeportClient client) {
        return known(word).orElseGet(() -> added(word, client));
    }

    private static Kind added(String word, HomeportClient client) {
        String plain = word.toLowerCase(Locale.ROOT).replace('_', '-');
        JsonNode types = client.get("/api/v2/types").body().path("items");
        StringBuilder names = new StringBuilder();
        for (JsonNode type : types) {
            Kind kind =
                    new Kind(type.path("name").asString(""), type.path("plural").asString(""));
            if (kind.plural().equals(plain) || kind.name().replace('_', '-').equals(plain)) {
                return kind;
            }
            names.append(names.isEmpty() ? "" : ", ").append(kind.plural());
        }
        NotHere missing = NotHere.named(word);
        throw new UsageProblem(missing == null ? "there is no type " + word + "; there are " + names : missing.what());
    }

    public String path() {
        return "/api/v2/" + plural;
    }

    public String path(String id) {
        return path() + "/" + Paths.encoded(id);
    }
}
