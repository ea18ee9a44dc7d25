package dev.homeport.server.admin;

import dev.homeport.server.http.Route;
import dev.homeport.server.http.StrictHandler;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** Makes routes that say which query parameters they take. */
final class AdminRoute {
    static final int ONE_DOCUMENT = 1024 * 1024;
    static final int MANY_DOCUMENTS = 8 * 1024 * 1024;
    static final int WHOLE_FLEET = 256 * 1024 * 1024;

    /** What every write takes. */
    private static final Set<String> WRITING = Set.of("dry_run", "confirmation", "reason", "hotfix", "secrets_seen");

    private AdminRoute() {}

    static Route read(String path, String id, String summary, Set<String> query, Route.Handler handler) {
        return new Route("GET", path, id, summary, Route.Needs.READ, strict(query, ONE_DOCUMENT, handler));
    }

    static Route write(
            String method, String path, String id, String summary, Set<String> query, Route.Handler handler) {
        return write(method, path, id, summary, query, ONE_DOCUMENT, handler);
    }

    static Route write(
            String method,
            String path,
            String id,
            String summary,
            Set<String> query,
            int maxBody,
            Route.Handler handler) {
        Set<String> all = new TreeSet<>(WRITING);
        all.addAll(query);
        return new Route(method, path, id, summary, Route.Needs.WRITE, strict(all, maxBody, handler));
    }

    static StrictHandler strict(Set<String> query, int maxBody, Route.Handler handler) {
        return new StrictHandler(Collections.unmodifiableSortedSet(new TreeSet<>(query)), maxBody, handler);
    }
}
