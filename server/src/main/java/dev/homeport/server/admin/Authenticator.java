package dev.homeport.server.admin;

import dev.homeport.access.Caller;
import dev.homeport.access.Identification;
import dev.homeport.access.Rights;
import dev.homeport.access.SignOuts;
import dev.homeport.api.ErrorCode;
import dev.homeport.observe.Refusal;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Credentials;
import dev.homeport.server.http.FailedLogins;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.TrustedProxies;
import dev.homeport.server.signin.CsrfCheck;
import dev.homeport.server.signin.Visitors;
import dev.homeport.snapshot.Snapshot;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authenticates callers, rejects the others, and records rejections. */
public final class Authenticator {
    private final Services services;
    private final Identification identification;
    private final Visitors visitors;
    private final FailedLogins failedLogins;
    private final TrustedProxies proxies;

    public Authenticator(
            Services services,
            Identification identification,
            Visitors visitors,
            FailedLogins failedLogins,
            TrustedProxies proxies) {
        this.services = services;
        this.identification = identification;
        this.visitors = visitors;
        this.failedLogins = failedLogins;
        this.proxies = proxies;
    }

    /** What of a request tells who sends it and what for. */
    record Asker(String method, String path, @Nullable String authorization, String address, String requestId) {}

    /** Where a request really comes from. */
    String address(RequestView request) {
        return proxies.client(request);
    }

    Caller byToken(Asker asker, Route route) {
        if (route.needs() == Route.Needs.NOTHING) {
            return Caller.anonymous();
        }
        Caller caller = Credentials.token(asker.authorization())
                .flatMap(token -> identification.identify(
                        services.snapshot(), token, services.clock().instant()))
                .orElseThrow(() -> unknown(noToken(), asker));
        return entering(caller, asker, route);
    }

    /** By a token; or without one by the session of a browser, which needs more care. */
    Caller byTokenOrSession(Asker asker, Route route, MultiMap headers) {
        Optional<Caller> session = route.needs() == Route.Needs.NOTHING || asker.authorization() != null
                ? Optional.empty()
                : visitors.session(headers.get("Cookie")).filter(caller -> !isSignedOut(caller));
        if (session.isEmpty()) {
            return byToken(asker, route);
        }
        Optional<ProblemException> csrf =
                asker.method().equals(HttpMethod.GET.name()) ? Optional.empty() : CsrfCheck.suspected(headers);
        if (csrf.isPresent()) {
            refused(csrf.get(), session.get().actor().toString(), asker);
            throw csrf.get();
        }
        return entering(session.get(), asker, route);
    }

    /** A token that others have made: their keys may have to be fetched, which takes longer than an event loop has. */
    Optional<String> foreignToken(Asker asker, Route route) {
        return route.needs() == Route.Needs.NOTHING
                ? Optional.empty()
                : Credentials.token(asker.authorization()).filter(visitors::isForeign);
    }

    Caller foreigner(String token, Asker asker, Route route) {
        Caller caller;
        try {
            caller = visitors.bearer(token);
        } catch (ProblemException e) {
            throw e.problem().code() == ErrorCode.UNAUTHENTICATED ? unknown(e, asker) : e;
        }
        if (isSignedOut(caller)) {
            throw unknown(
                    ProblemException.refused(
                            ErrorCode.UNAUTHENTICATED,
                            "the token was issued before " + caller.actor() + " signed out everywhere",
                            "sign in again"),
                    asker);
        }
        return entering(caller, asker, route);
    }

    private boolean isSignedOut(Caller caller) {
        return caller.signIn()
                .filter(signIn ->
                        SignOuts.isEnded(services.snapshot(), caller.actor().toString(), signIn))
                .isPresent();
    }

    private static ProblemException noToken() {
        return ProblemException.refused(
                ErrorCode.UNAUTHENTICATED, "the token is missing or not valid", "send a token as a bearer");
    }

    /** The caller, if it may use this route at all. */
    private Caller entering(Caller caller, Asker asker, Route route) {
        services.lastSeen().used(caller.token(), services.clock().instant());
        Rights rights = services.rights();
        Snapshot snapshot = services.snapshot();
        boolean allowed = switch (route.needs()) {
            case NOTHING, TOKEN -> true;
            case READ, WRITE -> rights.mayEnter(snapshot, caller);
            case WHOLE_FLEET ->
                rights.mayEnter(snapshot, caller)
                        && rights.powers(snapshot, caller).seesAll();
            case ROOT_READ -> rights.mayReadRoot(snapshot, caller);
            case ROOT_WRITE -> rights.mayWriteRoot(snapshot, caller);
        };
        if (!allowed) {
            // Clients of flux-resourceset expect 401 for a token without write permission.
            ProblemException refusal = ProblemException.refused(
                    route.needs() == Route.Needs.ROOT_WRITE ? ErrorCode.UNAUTHENTICATED : ErrorCode.FORBIDDEN,
                    caller.actor() + " may not use this",
                    "use a token with more rights");
            refused(refusal, caller.actor().toString(), asker);
            throw refusal;
        }
        return caller;
    }

    /** Recorded as long as there are not too many of them. */
    private ProblemException unknown(ProblemException refusal, Asker asker) {
        if (failedLogins.tooMany(asker.address(), Credentials.token(asker.authorization()))) {
            return ProblemException.refused(
                    ErrorCode.TOO_MANY_REQUESTS, "too many wrong tokens from this address", "wait a minute");
        }
        refused(refusal, "", asker);
        return refusal;
    }

    /** Whether there may be documents that this caller does not see. */
    boolean mayHideFrom(Caller caller) {
        return !services.powers(caller).seesAll();
    }

    /** Records a refusal for the audit. */
    void refused(ProblemException problem, String actor, Asker asker) {
        ErrorCode code = problem.problem().code();
        services.refusals()
                .record(new Refusal(
                        services.clock().instant().truncatedTo(ChronoUnit.MICROS),
                        asker.requestId(),
                        actor,
                        asker.address(),
                        asker.method(),
                        Plain.path(asker.path()),
                        code.httpStatus(),
                        code.code(),
                        problem.problem().detail()));
    }
}
