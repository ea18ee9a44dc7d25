package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds out who holds a token: the id is looked up, the secret's hash compared in constant time. Tokens are documents, so a
 * revocation is known wherever the log is followed.
 */
public final class Identification {
    private final MasterKey master;
    private final List<FixedToken> fixed;

    /** A token from the settings rather than from the log. */
    public record FixedToken(String text, Caller caller) {}

    public Identification(MasterKey master, List<FixedToken> fixed) {
        this.master = master;
        this.fixed = List.copyOf(fixed);
    }

    /** Nothing when the token is unknown, wrong, revoked or expired. */
    public Optional<Caller> identify(FleetView view, String text, Instant now) {
        for (FixedToken one : fixed) {
            if (equal(one.text(), text)) {
                return Optional.of(one.caller());
            }
        }
        return TokenText.parse(text).flatMap(token -> identify(view, token, now));
    }

    private Optional<Caller> identify(FleetView view, TokenText token, Instant now) {
        Document document = view.document(Types.TOKEN, token.id());
        if (document == null || document.fault().isPresent()) {
            return Optional.empty();
        }
        StoredToken stored = StoredToken.of(document);
        boolean right = master.matches(token.secret(), stored.hash())
                && stored.kind().equals(token.kind().word())
                && TokenLife.isLive(view, document, now);
        return right ? Optional.of(stored.caller(token.id())) : Optional.empty();
    }

    private static boolean equal(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
