package dev.homeport.server.admin;

import dev.homeport.server.http.Route;
import dev.homeport.server.http.Routes;
import java.util.ArrayList;
import java.util.List;

/** The table of everything that the admin plane answers. */
public final class AdminRoutes {
    private AdminRoutes() {}

    public static Routes of(Services services) {
        List<Route> routes = new ArrayList<>();
        return new Routes(routes);
    }
}
