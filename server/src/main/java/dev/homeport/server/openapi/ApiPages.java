package dev.homeport.server.openapi;

import dev.homeport.document.TypeCatalog;
import dev.homeport.json.CanonicalJson;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.snapshot.LogFollower;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** {@code /openapi.json} and {@code /openapi.yaml}. Made once for each catalog of types. */
public final class ApiPages {
    private final LogFollower follower;
    private final List<Route> all;
    private volatile @Nullable Pages pages;

    private record Pages(TypeCatalog types, byte[] json, byte[] yaml) {}

    /** @param all the table of routes, which may still grow while it is put together */
    public ApiPages(LogFollower follower, List<Route> all) {
        this.follower = follower;
        this.all = all;
    }

    public List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/openapi.json",
                        "openapi_json",
                        "This description, in JSON",
                        Route.Needs.NOTHING,
                        call -> new Reply(200, Reply.JSON, current().json(), Map.of())),
                new Route(
                        "GET",
                        "/openapi.yaml",
                        "openapi_yaml",
                        "This description, in YAML",
                        Route.Needs.NOTHING,
                        call -> new Reply(200, "application/yaml", current().yaml(), Map.of())));
    }

    private Pages current() {
        TypeCatalog types = follower.live().current().types();
        Pages known = pages;
        if (known == null || known.types() != types) {
            ObjectNode document = ApiDescription.of(all, types);
            byte[] yaml = new YAMLMapper().writeValueAsString(document).getBytes(StandardCharsets.UTF_8);
            known = new Pages(types, CanonicalJson.bytes(document), yaml);
            pages = known;
        }
        return known;
    }
}
