package dev.homeport.server.http;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All routes of a listener; the most specific one that fits wins. */
public final class Routes {
    private final List<Route> routes;

    public Routes(List<Route> routes) {
        this.routes = routes.stream()
                .sorted(Comparator.comparingInt(Route::weight).reversed())
                .toList();
    }

    /** A route with what its placeholders stand for. */
    public record Match(Route route, Map<String, String> parameters) {}

    public Optional<Match> find(String method, String path) {
        for (Route route : routes) {
            if (route.method().equals(method)) {
                Optional<Map<String, String>> parameters = route.match(path);
                if (parameters.isPresent()) {
                    return Optional.of(new Match(route, parameters.get()));
                }
            }
        }
        return Optional.empty();
    }

    /** Methods of the path; empty for an unknown path. */
    public Set<String> methods(String path) {
        Set<String> methods = new TreeSet<>();
        for (Route route : routes) {
            if (route.match(path).isPresent()) {
                methods.add(route.method());
            }
        }
        return methods;
    }

    public List<Route> all() {
        return routes;
    }
}
