package dev.homeport.server.signin;

import dev.homeport.access.Caller;
import dev.homeport.api.ErrorCode;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.SignInSettings;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.StrictHandler;
import dev.homeport.server.signin.JwtCheck.BadToken;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jose4j.jwt.JwtClaims;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Signing in by browser: to the provider and back with a code, which becomes a session; and what the command line needs. */
public final class SignInRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(SignInRoutes.class);
    private static final Duration LOGIN = Duration.ofMinutes(10);
    private static final int MOST_BODY = 1024;
    private static final String CALLBACK = "/login/callback";

    /** A path on this server: nothing that a browser could take for another host. */
    private static final Pattern LOCAL =
            Pattern.compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@%?-][A-Za-z0-9._~!$&'()*+,;=:@%?/-]*)?");

    private final Visitors visitors;
    private final SignOutService signOuts;
    private final SecureRandom random = new SecureRandom();

    public SignInRoutes(Visitors visitors, SignOutService signOuts) {
        this.visitors = visitors;
        this.signOuts = signOuts;
    }

    public List<Route> routes() {
        return List.of(
                open("GET", "/login", "login", "Sends a browser to the identity provider.", strict(this::login, "to")),
                // Not strict: providers add what they like.
                open(
                        "GET",
                        CALLBACK,
                        "loginCallback",
                        "Where the identity provider sends a browser back to: begins a session.",
                        ((Route.Handler) this::callback).reading(Set.of("code", "state", "iss", "error"))),
                open(
                        "POST",
                        "/logout",
                        "logout",
                        "End a browser's session; copies of its cookie stop working too.",
                        strict(this::logout)),
                open(
                        "GET",
                        "/api/v2/sign-in",
                        "getSignIn",
                        "Get how people sign in, and the device authorization endpoint.",
                        strict(this::signIn)));
    }

    private static Route open(String method, String path, String id, String summary, Route.Handler handler) {
        return new Route(method, path, id, summary, Route.Needs.NOTHING, handler);
    }

    private static Route.Handler strict(Route.Handler handler, String... query) {
        return new StrictHandler(new TreeSet<>(Set.of(query)), MOST_BODY, handler);
    }

    private SignInSettings.People people() {
        return visitors.settings()
                .people()
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.NOT_FOUND,
                        "sign-in is disabled: no identity provider is configured",
                        "come with a token, or let an operator set oidc_issuer"));
    }

    private String callbackUrl() {
        return people().browser()
                .adminUrl()
                .map(url -> url + CALLBACK)
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.NOT_FOUND,
                        "browsers do not sign in here: this server does not know its own address",
                        "let an operator set admin_url"));
    }

    private Reply login(Call call) {
        String to = call.query("to").orElse("/");
        if (!LOCAL.matcher(to).matches()) {
            throw ProblemException.refused(
                    ErrorCode.MALFORMED, "to is not a path of this server", "use a path such as /ui/clusters");
        }
        String callback = callbackUrl();
        SignInSettings.People people = people();
        Provider provider = visitors.provider(people);
        URI authorization = provider.known()
                .authorization()
                .orElseThrow(() -> provider.unavailable("it has no authorization_endpoint"));
        Sessions.Begun begun = new Sessions.Begun(secret(), secret(), secret(), to);
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("response_type", "code");
        asked.put("client_id", people.client().id());
        asked.put("redirect_uri", callback);
        asked.put("scope", people.client().scopes());
        asked.put("state", begun.state());
        asked.put("nonce", begun.nonce());
        asked.put("code_challenge", challenge(begun.verifier()));
        asked.put("code_challenge_method", "S256");
        String separator = authorization.getRawQuery() == null ? "?" : "&";
        return redirect(authorization + separator + ProviderHttp.form(asked))
                .withCookie(visitors.sessions().beginLogin(begun, LOGIN));
    }

    private Reply callback(Call call) {
        SignInSettings.People people = people();
        String callback = callbackUrl();
        Sessions.Begun begun = call.header("Cookie")
                .flatMap(cookies -> Cookies.value(cookies, Sessions.LOGIN_COOKIE))
                .flatMap(visitors.sessions()::openLogin)
                .filter(known -> same(known.state(), call.query("state").orElse("")))
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.MALFORMED,
                        "this sign-in was not begun by this browser, or too long ago",
                        "begin again at /login"));
        if (!call.query("iss")
                .orElse(people.issuer().name())
                .equals(people.issuer().name())) {
            throw refused("the answer comes from another provider");
        }
        String code = call.query("code")
                .orElseThrow(() -> refused("the identity provider says "
                        + Plain.text(call.query("error").orElse("nothing"))));
        Caller caller = caller(people, code, callback, begun);
        String cookie = visitors.sessions()
                .begin(caller, people.browser().session())
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.FORBIDDEN,
                        caller.actor() + " is in more groups than a browser can keep",
                        "let the provider name only the groups that matter here"));
        LOG.info("{} signed in from {}", caller.actor(), call.address());
        return redirect(begun.to()).withCookie(cookie).withCookie(Cookies.forget(Sessions.LOGIN_COOKIE));
    }

    private Caller caller(SignInSettings.People people, String code, String callback, Sessions.Begun begun) {
        Provider provider = visitors.provider(people);
        try {
            JwtCheck.Unproven token =
                    visitors.check().read(idToken(people, provider, code, callback, begun.verifier()));
            JwtClaims claims =
                    visitors.check().proven(token, provider, people.client().id());
            Object party = claims.getClaimValue("azp");
            if (!same(begun.nonce(), String.valueOf(claims.getClaimValue("nonce")))
                    || party != null && !party.equals(people.client().id())) {
                throw new BadToken("it is of another sign-in");
            }
            return visitors.person(people, claims);
        } catch (BadToken e) {
            throw refused("the identity provider's token is not valid: " + e.getMessage());
        } catch (ProviderTrouble e) {
            throw provider.unavailable(String.valueOf(e.getMessage()));
        }
    }

    private static String idToken(
            SignInSettings.People people, Provider provider, String code, String callback, String verifier)
            throws ProviderTrouble {
        URI endpoint = provider.known().token().orElseThrow(() -> provider.unavailable("it has no token_endpoint"));
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", callback);
        form.put("code_verifier", verifier);
        String id = people.client().id();
        Optional<String> secret = people.client().secret();
        if (secret.isEmpty()) {
            form.put("client_id", id);
        }
        String basic = secret.map(word -> ProviderHttp.encoded(id) + ":" + ProviderHttp.encoded(word))
                .map(pair -> "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                .orElse(null);
        ProviderHttp.Answer answer = provider.http().post(endpoint, form, basic);
        if (answer.status() >= 500) {
            throw new ProviderTrouble("it answers with " + answer.status());
        }
        String token = answer.json().path("id_token").stringValue("");
        if (answer.status() != 200 || token.isEmpty()) {
            throw refused("the identity provider says "
                    + Plain.text(answer.json().path("error").stringValue("nothing of use")));
        }
        return token;
    }

    private Reply logout(Call call) {
        boolean session = call.header("Cookie")
                .flatMap(cookies -> Cookies.value(cookies, Sessions.COOKIE))
                .isPresent();
        Optional<ProblemException> csrf = session ? CsrfCheck.suspected(call.headers()) : Optional.empty();
        if (csrf.isPresent()) {
            throw csrf.get();
        }
        call.header("Cookie").flatMap(visitors::session).ifPresent(caller -> signOuts.end(caller, call.requestId()));
        return Reply.json(200, StrictJson.object().put("signed_out", true)).withCookie(Cookies.forget(Sessions.COOKIE));
    }

    private Reply signIn(Call call) {
        ObjectNode body = StrictJson.object();
        visitors.settings().people().ifPresent(people -> {
            Provider.Known known = visitors.provider(people).known();
            ObjectNode oidc =
                    body.putObject("oidc").put("issuer", people.issuer().name());
            people.browser().adminUrl().ifPresent(url -> oidc.put("login", url + "/login"));
            String cli = people.client().cliId();
            if (!cli.isEmpty() && known.device().isPresent() && known.token().isPresent()) {
                oidc.putObject("device")
                        .put("client_id", cli)
                        .put("scopes", people.client().scopes())
                        .put(
                                "device_authorization_endpoint",
                                known.device().get().toString())
                        .put("token_endpoint", known.token().get().toString());
            }
        });
        return Reply.json(200, body);
    }

    private static Reply redirect(String to) {
        return Reply.text(302, "text/plain", "").with("Location", to);
    }

    private static ProblemException refused(String why) {
        return ProblemException.refused(ErrorCode.UNAUTHENTICATED, why, "begin again at /login");
    }

    private String secret() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
