package dev.homeport.support;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Identification;
import dev.homeport.access.MasterKey;
import dev.homeport.access.TokenText;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.write.ConfirmationRequired;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Tokens of a test fleet: made, rotated and revoked through the writer, and recognised by their text. */
public final class TestTokens {
    /** A platform admin without a token. */
    public static final Caller ROOT =
            new Caller(new Actor(Actor.Kind.PERSON, "root"), Caller.Access.ADMIN, Optional.empty(), "");

    private final TestFleet fleet;
    private final MasterKey master = new MasterKey(new byte[MasterKey.BYTES]);
    private final Identification identification = new Identification(master, List.of());
    private int made;

    public TestTokens(TestFleet fleet) {
        this.fleet = fleet;
    }

    private TokenText mint(String kind) {
        made++;
        byte[] id = BigInteger.valueOf(1_000_000L + made).toByteArray();
        byte[] secret = BigInteger.valueOf(5_000_000L + made).toByteArray();
        return TokenText.mint(TokenText.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), id, secret);
    }

    private Operation creation(TokenText token, ObjectNode body) {
        body.put("kind", token.kind().word()).put("hash", master.hash(token.secret()));
        return new Operation.Create(new DocumentKey(Types.TOKEN, token.id()), body);
    }

    public TokenText make(Caller caller, String kind, String subject) {
        return make(caller, kind, subject, "{}");
    }

    public TokenText make(Caller caller, String kind, String subject, String more) {
        TokenText token = mint(kind);
        ObjectNode body = StrictJson.object().put("subject", subject);
        body.setAll(StrictJson.read(more));
        write(caller, creation(token, body));
        return token;
    }

    /** As {@code :rotate} does it. */
    public TokenText rotate(Caller caller, TokenText old, Duration overlap) {
        TokenText token = mint(old.kind().word());
        ObjectNode body = fleet.document(Types.TOKEN, old.id()).tree();
        body.retain(List.of("subject", "access"));
        body.put("replaces", old.id());
        String end = fleet.now.plus(overlap).toString();
        Operation ending = new Operation.Edit(
                new DocumentKey(Types.TOKEN, old.id()),
                stored -> stored.path("expires_at").stringValue("9").compareTo(end) < 0
                        ? stored
                        : stored.put("expires_at", end),
                Expected.ANY);
        write(caller, creation(token, body), ending);
        return token;
    }

    public void revoke(Caller caller, TokenText token) {
        write(caller, new Operation.Delete(new DocumentKey(Types.TOKEN, token.id()), Expected.ANY));
    }

    public void grant(Caller caller, String id, String subject, String role, String scope) {
        ObjectNode body = StrictJson.object().put("subject", subject).put("role", role);
        body.set("scope", StrictJson.read(scope));
        write(caller, new Operation.Create(new DocumentKey(Types.ACCESS_GRANT, id), body));
    }

    /** Writes, and confirms if that is asked for. */
    public void write(Caller caller, Operation... operations) {
        WriteRequest request = WriteRequest.of(caller, "a test", List.of(operations));
        try {
            fleet.writer.write(request);
        } catch (ConfirmationRequired e) {
            fleet.writer.write(request.confirmedBy(e.token()));
        }
    }

    /** Who comes with the token; nothing when it does not work. */
    public Optional<Caller> holder(TokenText token) {
        return holder(token, fleet.now);
    }

    public Optional<Caller> holder(TokenText token, Instant now) {
        return identification.identify(fleet.snapshot(), token.reveal(), now);
    }
}
