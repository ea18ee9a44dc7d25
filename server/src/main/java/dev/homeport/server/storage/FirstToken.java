package dev.homeport.server.storage;

import dev.homeport.access.Actor;
import dev.homeport.access.MasterKey;
import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The first admin token of a new installation: given by the operator, or generated here and shown once.
 *
 * @param generated true if it must still be shown
 */
public record FirstToken(TokenText token, boolean generated) {
    private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);

    /**
     * Present when one was made or taken over just now; nothing is made where an admin token exists already,
     * or where nothing may be written.
     */
    public static Optional<FirstToken> ensure(
            ServerSettings settings, Writer writer, LogFollower follower, History history, MasterKey master) {
        if (follower.state() instanceof FollowerState.Quarantined) {
            return Optional.empty();
        }
        Optional<TokenText> given = given(settings);
        if (given.isPresent()) {
            String id = given.get().id();
            Document known = follower.live().current().document(Types.TOKEN, id);
            if (known == null) {
                if (history.commitsOf(new DocumentKey(Types.TOKEN, id), Long.MAX_VALUE, 1)
                        .isEmpty()) {
                    take(given.get(), writer, master);
                } else {
                    LOG.warn("the admin token {} of the settings was revoked or has expired; it is not made again", id);
                }
            }
            return Optional.empty();
        }
        for (Document document : follower.live().current().all(Types.TOKEN).values()) {
            if (document.tree().path("access").stringValue("").equals("admin")) {
                return Optional.empty();
            }
        }
        TokenText fresh = mint(TokenText.Kind.PERSON);
        store(fresh, writer, master);
        return Optional.of(new FirstToken(fresh, true));
    }

    /** Another server on the same database, given the same one, may be faster. */
    private static void take(TokenText given, Writer writer, MasterKey master) {
        try {
            store(given, writer, master);
        } catch (ProblemException e) {
            if (e.problem().code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
        }
    }

    public static TokenText mint(TokenText.Kind kind) {
        SecureRandom random = new SecureRandom();
        byte[] id = new byte[TokenText.ID_BYTES];
        byte[] secret = new byte[TokenText.SECRET_BYTES];
        random.nextBytes(id);
        random.nextBytes(secret);
        return TokenText.mint(kind, id, secret);
    }

    private static void store(TokenText token, Writer writer, MasterKey master) {
        store(token, "admin", "admin", "the first token", writer, master);
    }

    /** Creates the document of a token whose secret is about to be shown. */
    public static void store(
            TokenText token, String subject, String access, String label, Writer writer, MasterKey master) {
        ObjectNode body = StrictJson.object()
                .put("id", token.id())
                .put("kind", token.kind().word())
                .put("subject", subject)
                .put("access", access)
                .put("label", label)
                .put("hash", master.hash(token.secret()));
        writer.write(WriteRequest.of(
                Actor.SYSTEM, label, new Operation.Create(new DocumentKey(Types.TOKEN, token.id()), body)));
    }

    private static Optional<TokenText> given(ServerSettings settings) {
        Optional<String> text = settings.adminToken()
                .or(() -> settings.adminTokenFile().map(file -> {
                    try {
                        return Files.readString(file).strip();
                    } catch (IOException e) {
                        throw new BadSettings(
                                List.of("admin_token_file " + file + " cannot be read: " + e.getMessage()));
                    }
                }));
        return text.map(given -> TokenText.parse(given)
                .filter(token -> token.kind() == TokenText.Kind.PERSON || token.kind() == TokenText.Kind.SERVICE)
                .orElseThrow(() -> new BadSettings(List.of(
                        "the admin token is not one of ours: make one with `homeport admin token --print-only`"))));
    }
}
