package dev.homeport.server.signin;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Browser sessions, kept in a sealed cookie: servers share only the key, and a restart loses nothing. */
final class Sessions {
    static final String COOKIE = "__Host-homeport";
    static final String LOGIN_COOKIE = "__Host-homeport-login";

    /** Browsers keep 4096 bytes with the name and all. */
    private static final int LONGEST = 3800;

    private static final int ID_BYTES = 16;

    private final SealedCookies cookies;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    Sessions(SealedCookies cookies, InstantSource clock) {
        this.cookies = cookies;
        this.clock = clock;
    }

    /** What must be known when the browser returns from the provider. */
    record Begun(String state, String nonce, String verifier, String to) {}

    /** A cookie; nothing when the caller is in more groups than one holds. */
    Optional<String> begin(Caller caller, Duration life) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        Instant now = clock.instant();
        ObjectNode json = StrictJson.object()
                .put("name", caller.actor().name())
                .put("id", "s" + HexFormat.of().formatHex(id))
                .put("since", now.toEpochMilli())
                .put("until", now.plus(life).getEpochSecond());
        ArrayNode groups = json.putArray("groups");
        new TreeSet<>(caller.groups()).forEach(groups::add);
        String sealed = cookies.seal("session", CanonicalJson.bytes(json));
        return sealed.length() > LONGEST ? Optional.empty() : Optional.of(Cookies.set(COOKIE, sealed, life));
    }

    /** Sessions without an id, which older servers began, cannot be ended one by one and are not accepted. */
    Optional<Caller> open(String sealed) {
        return cookies.open("session", sealed)
                .map(StrictJson::read)
                .filter(json -> json.has("id"))
                .flatMap(json -> {
                    Instant until = Instant.ofEpochSecond(json.path("until").longValue(0));
                    Instant since = Instant.ofEpochMilli(json.path("since").longValue(0));
                    Set<String> groups = new HashSet<>();
                    json.path("groups").forEach(group -> groups.add(group.stringValue("")));
                    Actor actor = new Actor(Actor.Kind.PERSON, json.path("name").stringValue(""));
                    return clock.instant().isBefore(until)
                            ? Optional.of(Caller.vouchedFor(
                                    actor,
                                    groups,
                                    new Caller.SignIn(json.path("id").stringValue(""), since, until)))
                            : Optional.empty();
                });
    }

    String beginLogin(Begun begun, Duration life) {
        ObjectNode json = StrictJson.object()
                .put("state", begun.state())
                .put("nonce", begun.nonce())
                .put("verifier", begun.verifier())
                .put("to", begun.to())
                .put("until", clock.instant().plus(life).getEpochSecond());
        return Cookies.set(LOGIN_COOKIE, cookies.seal("login", CanonicalJson.bytes(json)), life);
    }

    Optional<Begun> openLogin(String sealed) {
        return cookies.open("login", sealed)
                .map(StrictJson::read)
                .filter(json -> clock.instant()
                        .isBefore(Instant.ofEpochSecond(json.path("until").longValue(0))))
                .map(json -> new Begun(
                        json.path("state").stringValue(""),
                        json.path("nonce").stringValue(""),
                        json.path("verifier").stringValue(""),
                        json.path("to").stringValue("")));
    }
}
