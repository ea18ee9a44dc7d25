package dev.homeport.server.signin;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.SignInSettings.Issuer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The metadata of an identity provider: its endpoints, and the keys that it signs with. Read when it is needed, and again
 * after a while. A token with an unknown key causes another read, at a limited rate. While the provider does not answer, the
 * last result is used for up to a day.
 */
final class Provider implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Provider.class);
    static final Duration FRESH = Duration.ofMinutes(10);
    static final Duration HOLDS = Duration.ofDays(1);
    static final Duration PAUSE = Duration.ofSeconds(5);

    private final Issuer issuer;
    private final ProviderHttp http;
    private final LongSupplier ticker;
    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile @Nullable Known known;
    private volatile @Nullable Long tried;
    private volatile String trouble = "it was not asked yet";

    /** @param ticker nanoseconds that go on evenly, whatever happens to the machine's clock */
    Provider(Issuer issuer, LongSupplier ticker) {
        this.issuer = issuer;
        this.ticker = ticker;
        this.http = new ProviderHttp(issuer);
    }

    /**
     * The result of a read.
     *
     * @param device the endpoint for device sign-in
     * @param at in nanoseconds of the ticker
     */
    record Known(
            Optional<URI> authorization,
            Optional<URI> token,
            Optional<URI> device,
            Optional<URI> endSession,
            List<JsonWebKey> keys,
            long at) {}

    Issuer issuer() {
        return issuer;
    }

    ProviderHttp http() {
        return http;
    }

    /** The current metadata; the caller may have to wait for it. */
    Known known() {
        Known here = usable();
        if (here == null) {
            read();
            here = usable();
        } else if (since(here.at()).compareTo(FRESH) > 0 && refreshing.compareAndSet(false, true)) {
            Thread.ofVirtual().name("provider").start(() -> {
                try {
                    read();
                } finally {
                    refreshing.set(false);
                }
            });
        }
        if (here == null) {
            throw unavailable(trouble);
        }
        return here;
    }

    /** The newest result: read again now, unless the rate limit forbids it. */
    Known newest() {
        read();
        return known();
    }

    ProblemException unavailable(String reason) {
        return ProblemException.refused(
                ErrorCode.UNAVAILABLE,
                "the identity provider " + issuer.name() + " is unreachable: " + reason,
                "try again when it is, or come with a token of Homeport");
    }

    private Duration since(long then) {
        return Duration.ofNanos(ticker.getAsLong() - then);
    }

    private @Nullable Known usable() {
        Known here = known;
        return here != null && since(here.at()).compareTo(HOLDS) < 0 ? here : null;
    }

    /** At most one at a time, and none soon after another: the others take what that one has read. */
    private void read() {
        turn.lock();
        try {
            Long last = tried;
            if (last != null && since(last).compareTo(PAUSE) < 0) {
                return;
            }
            try {
                known = ask();
            } catch (ProviderTrouble e) {
                trouble = String.valueOf(e.getMessage());
                LOG.warn("the identity provider {} cannot be read: {}", issuer.name(), trouble);
            } finally {
                tried = ticker.getAsLong();
            }
        } finally {
            turn.unlock();
        }
    }

    private Known ask() throws ProviderTrouble {
        String name = issuer.name();
        String base = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        JsonNode metadata = good(http.get(URI.create(base + "/.well-known/openid-configuration")));
        if (!metadata.path("issuer").stringValue("").equals(name)) {
            throw new ProviderTrouble("it calls itself otherwise");
        }
        URI keys = address(metadata, "jwks_uri").orElseThrow(() -> new ProviderTrouble("it publishes no keys"));
        return new Known(
                address(metadata, "authorization_endpoint"),
                address(metadata, "token_endpoint"),
                address(metadata, "device_authorization_endpoint"),
                address(metadata, "end_session_endpoint"),
                keys(good(http.get(keys))),
                ticker.getAsLong());
    }

    private static JsonNode good(ProviderHttp.Answer answer) throws ProviderTrouble {
        if (answer.status() != 200) {
            throw new ProviderTrouble("it answers with " + answer.status());
        }
        return answer.json();
    }

    private static Optional<URI> address(JsonNode metadata, String field) throws ProviderTrouble {
        String text = metadata.path(field).stringValue("");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && Issuer.isSafe(uri)) {
                return Optional.of(uri);
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new ProviderTrouble("its " + field + " is not https");
    }

    /** Public keys only: a secret that is published is not shared with the provider. */
    private static List<JsonWebKey> keys(JsonNode json) throws ProviderTrouble {
        try {
            List<JsonWebKey> keys = new JsonWebKeySet(json.toString())
                    .getJsonWebKeys().stream()
                            .filter(PublicJsonWebKey.class::isInstance)
                            .toList();
            if (keys.isEmpty()) {
                throw new ProviderTrouble("it publishes no keys that we can use");
            }
            return keys;
        } catch (JoseException e) {
            throw new ProviderTrouble("its keys cannot be read");
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
