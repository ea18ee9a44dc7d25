package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sign-ins that were ended before their time. There is a document for each subject, which is removed when everything that it
 * ends would have ended by itself.
 *
 * @param notBefore sign-ins that began before this time are ended
 * @param sessions ids of single sessions that were ended, with when they would have ended
 */
public record SignOuts(@Nullable Instant notBefore, Map<String, Instant> sessions) {
    private static final SignOuts NOTHING = new SignOuts(null, Map.of());

    /** Beyond this, all sessions of the subject are ended instead of remembering each. */
    private static final int MOST_SESSIONS = 100;

    public SignOuts {
        sessions = Map.copyOf(sessions);
    }

    public static DocumentKey key(String subject) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(subject.getBytes(StandardCharsets.UTF_8));
            return new DocumentKey(Types.SIGN_OUT, "s" + HexFormat.of().formatHex(hash, 0, 20));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Whether a subject's sign-in was ended. One whose record cannot be read is. */
    public static boolean isEnded(FleetView view, String subject, Caller.SignIn signIn) {
        DocumentKey key = key(subject);
        Document document = view.document(key.type(), key.id());
        if (document == null) {
            return false;
        }
        return document.fault().isPresent() || of(document).ends(signIn);
    }

    private boolean ends(Caller.SignIn signIn) {
        // Not after: whatever began in the very moment may have begun before.
        return notBefore != null && !signIn.since().isAfter(notBefore) || sessions.containsKey(signIn.session());
    }

    private static SignOuts of(Document document) {
        return document.derive(known -> read(known.tree()));
    }

    private static SignOuts read(JsonNode body) {
        String time = body.path("not_before").stringValue("");
        Map<String, Instant> sessions = new HashMap<>();
        body.path("sessions")
                .forEach(one -> sessions.put(
                        one.path("id").stringValue(""),
                        Instant.parse(one.path("until").stringValue(""))));
        return new SignOuts(time.isEmpty() ? null : Instant.parse(time), sessions);
    }

    /** The body of the subject's document when one more session is ended. */
    public static ObjectNode ending(
            Optional<ObjectNode> present, String subject, Caller.SignIn signIn, Instant now, Duration longest) {
        SignOuts before = present.map(SignOuts::read).orElse(NOTHING);
        Map<String, Instant> sessions = new TreeMap<>(before.sessions);
        sessions.values().removeIf(until -> !until.isAfter(now));
        sessions.put(signIn.session(), signIn.until());
        return sessions.size() > MOST_SESSIONS
                ? endingAll(subject, now, longest)
                : body(subject, before.notBefore, sessions, now, longest);
    }

    /** @param longest how long a sign-in can last */
    public static ObjectNode endingAll(String subject, Instant now, Duration longest) {
        return body(subject, now, Map.of(), now, longest);
    }

    private static ObjectNode body(
            String subject, @Nullable Instant notBefore, Map<String, Instant> sessions, Instant now, Duration longest) {
        ObjectNode body = StrictJson.object().put("id", key(subject).id()).put("subject", subject);
        Instant end = now;
        if (notBefore != null) {
            body.put("not_before", text(notBefore));
            end = notBefore.plus(longest);
        }
        ArrayNode list = body.putArray("sessions");
        for (Map.Entry<String, Instant> session : sessions.entrySet()) {
            list.addObject().put("id", session.getKey()).put("until", text(session.getValue()));
            end = session.getValue().isAfter(end) ? session.getValue() : end;
        }
        return body.put("expires_at", text(end.plusSeconds(1)));
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
