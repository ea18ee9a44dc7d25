package dev.homeport.server.admin;

import dev.homeport.server.compat.RootRoutes;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.Routes;
import dev.homeport.server.metrics.Meters;
import dev.homeport.server.openapi.ApiPages;
import dev.homeport.server.openapi.ProblemPages;
import dev.homeport.server.signin.SignInRoutes;
import dev.homeport.server.signin.SignOutService;
import dev.homeport.server.signin.Visitors;
import dev.homeport.server.stream.StreamRoutes;
import java.util.ArrayList;
import java.util.List;

/** The table of everything that the admin plane answers. */
public final class AdminRoutes {
    private AdminRoutes() {}

    public static Routes of(Services services, Meters meters, Visitors visitors, ExpensiveRequests expensive) {
        TokenMint mint = new TokenMint(services);
        SignOutService signOuts = new SignOutService(services.follower(), services.writer(), services.clock());
        List<Route> routes = new ArrayList<>();
        routes.addAll(new DocumentRoutes(services).routes());
        routes.addAll(new ChangeRoutes(services).routes());
        routes.addAll(new ClusterRoutes(services).routes());
        routes.addAll(new DeliveryRoutes(services).routes());
        routes.addAll(new FindingRoutes(services).routes());
        routes.addAll(new ProbeRoutes(services).routes());
        routes.addAll(new TokenRoutes(services, mint).routes());
        BootstrapRoutes bootstrap = new BootstrapRoutes(services, mint);
        routes.addAll(bootstrap.routes());
        routes.addAll(new ExportRoutes(services).routes());
        routes.addAll(new TypeRoutes(services).routes());
        routes.addAll(new MeRoutes(services, signOuts).routes());
        routes.addAll(new SignInRoutes(visitors, signOuts).routes());
        routes.addAll(new JoinRoutes(services, mint, bootstrap).routes());
        routes.addAll(new RootRoutes(services.follower(), services.writer(), services.rights(), services.freshness())
                .routes());
        routes.addAll(new StreamRoutes(
                        services.follower(),
                        services.history(),
                        services.rights(),
                        services.clock(),
                        meters.streams(),
                        services.settings().limits().streams(),
                        services.board().changes(),
                        (caller, work) -> expensive.inTurn(caller, work::call))
                .routes());
        routes.addAll(pages(services, meters, routes));
        return new Routes(routes);
    }

    /** What a read-only server shows besides polls. */
    public static Routes ofReadOnly(Services services, Meters meters) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(pages(services, meters, routes));
        return new Routes(routes);
    }

    private static List<Route> pages(Services services, Meters meters, List<Route> all) {
        List<Route> pages = new ArrayList<>();
        pages.add(meters.route());
        pages.addAll(new ApiPages(services.follower(), all).routes());
        pages.addAll(ProblemPages.routes());
        return pages;
    }
}
