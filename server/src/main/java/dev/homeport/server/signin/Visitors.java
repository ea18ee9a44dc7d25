package dev.homeport.server.signin;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.MasterKey;
import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.SignInSettings;
import dev.homeport.server.config.SignInSettings.Issuer;
import dev.homeport.server.config.SignInSettings.Pipelines;
import dev.homeport.server.config.SubjectTemplate;
import dev.homeport.server.signin.JwtCheck.BadToken;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jspecify.annotations.Nullable;

/**
 * Those that an identity provider vouches for: people by its tokens or by a session in their browser, jobs of a CI system by
 * the tokens that it gives them. They hold what is granted to their name and groups, and nothing by themselves.
 */
public final class Visitors implements AutoCloseable {
    private static final int MOST_GROUPS = 1000;

    private final SignInSettings settings;
    private final JwtCheck check;
    private final Sessions sessions;
    private final Map<Issuer, Provider> providers = new HashMap<>();

    public Visitors(SignInSettings settings, MasterKey master, InstantSource clock) {
        this.settings = settings;
        this.check = new JwtCheck(clock);
        this.sessions = new Sessions(new SealedCookies(master.sealingKeys()), clock);
        settings.people()
                .ifPresent(people -> providers.put(people.issuer(), new Provider(people.issuer(), System::nanoTime)));
        settings.pipelines()
                .forEach(one ->
                        providers.computeIfAbsent(one.issuer(), issuer -> new Provider(issuer, System::nanoTime)));
    }

    SignInSettings settings() {
        return settings;
    }

    Sessions sessions() {
        return sessions;
    }

    JwtCheck check() {
        return check;
    }

    Provider provider(SignInSettings.People people) {
        return provider(people.issuer());
    }

    private Provider provider(Issuer issuer) {
        Provider provider = providers.get(issuer);
        if (provider == null) {
            throw new IllegalStateException("there is no provider " + issuer.name());
        }
        return provider;
    }

    /** Whether a token is one for {@link #bearer}, which may have to wait. */
    public boolean isForeign(String token) {
        return !providers.isEmpty() && token.startsWith("eyJ") && token.indexOf('.') > 0;
    }

    /**
     * The owner of the token.
     *
     * @throws ProblemException if it is invalid, or its provider does not answer
     */
    public Caller bearer(String text) {
        try {
            JwtCheck.Unproven token = check.read(text);
            String reason = "its issuer is not one that is trusted here";
            for (Pipelines pipelines : settings.pipelines()) {
                if (pipelines.issuer().name().equals(token.issuer())) {
                    try {
                        return service(pipelines, claims(token, pipelines.issuer(), pipelines.audience()));
                    } catch (BadToken e) {
                        reason = String.valueOf(e.getMessage());
                    }
                }
            }
            SignInSettings.People people = settings.people().orElse(null);
            if (people != null && people.issuer().name().equals(token.issuer())) {
                return person(people, claims(token, people.issuer(), people.audience()));
            }
            throw new BadToken(reason);
        } catch (BadToken e) {
            throw ProblemException.refused(
                    ErrorCode.UNAUTHENTICATED,
                    "the token is not valid: " + e.getMessage(),
                    "ask the identity provider for another");
        }
    }

    private JwtClaims claims(JwtCheck.Unproven token, Issuer issuer, String audience) throws BadToken {
        return check.proven(token, provider(issuer), audience);
    }

    private static Caller service(Pipelines pipelines, JwtClaims claims) throws BadToken {
        for (Map.Entry<String, Set<String>> wanted : pipelines.claims().entrySet()) {
            if (text(claims, wanted.getKey())
                    .filter(wanted.getValue()::contains)
                    .isEmpty()) {
                throw new BadToken("its claim " + wanted.getKey() + " is not what " + pipelines.name() + " asks for");
            }
        }
        String name = pipelines.name()
                + Pipelines.SEPARATOR
                + pipelines
                        .subject()
                        .render(claim -> text(claims, claim))
                        .orElseThrow(() -> new BadToken("its claims make no name by the rule of " + pipelines.name()));
        return Caller.vouchedFor(new Actor(Actor.Kind.SERVICE, checked(name)), Set.of(), signIn(claims));
    }

    Caller person(SignInSettings.People people, JwtClaims claims) throws BadToken {
        String claim = people.claims().name();
        String name = text(claims, claim).orElseThrow(() -> new BadToken("it has no claim " + claim));
        if (claim.equals("email") && !Boolean.TRUE.equals(claims.getClaimValue("email_verified"))) {
            throw new BadToken("its email is not verified");
        }
        return Caller.vouchedFor(
                new Actor(Actor.Kind.PERSON, checked(name)),
                groups(claims.getClaimValue(people.claims().groups())),
                signIn(claims));
    }

    private static Caller.SignIn signIn(JwtClaims claims) throws BadToken {
        try {
            return new Caller.SignIn(
                    "",
                    Instant.ofEpochSecond(claims.getIssuedAt().getValue()),
                    Instant.ofEpochSecond(claims.getExpirationTime().getValue()));
        } catch (MalformedClaimException e) {
            throw new BadToken("it cannot be read");
        }
    }

    private static String checked(String name) throws BadToken {
        if (!SubjectTemplate.isName(name)) {
            throw new BadToken("the name in it is not one that something can be granted to");
        }
        return name;
    }

    /** A claim that is not a list of strings gives no groups. */
    private static Set<String> groups(@Nullable Object claim) throws BadToken {
        Set<String> groups = new HashSet<>();
        List<?> all = claim instanceof List<?> list ? list : claim instanceof String one ? List.of(one) : List.of();
        if (all.size() > MOST_GROUPS) {
            throw new BadToken("it names more than " + MOST_GROUPS + " groups");
        }
        for (Object one : all) {
            if (one instanceof String group && SubjectTemplate.isName(group)) {
                groups.add(group);
            }
        }
        return groups;
    }

    private static Optional<String> text(JwtClaims claims, String name) {
        Object value = claims.getClaimValue(name);
        return value instanceof String || value instanceof Boolean || value instanceof Long
                ? Optional.of(value.toString())
                : Optional.empty();
    }

    /** The person signed in with this browser, from its cookies. */
    public Optional<Caller> session(@Nullable String cookies) {
        return settings.people().isEmpty()
                ? Optional.empty()
                : Cookies.value(cookies, Sessions.COOKIE).flatMap(sessions::open);
    }

    @Override
    public void close() {
        providers.values().forEach(Provider::close);
    }
}
