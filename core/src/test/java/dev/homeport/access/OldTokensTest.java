package dev.homeport.access;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import dev.homeport.write.Operation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tokens that are not worth anything any more. */
class OldTokensTest extends FleetTest {
    private final MasterKey master = new MasterKey(new byte[32]);
    private final Identification identification = new Identification(master, List.of());

    private TokenText token(TokenText.Kind kind, String subject, int number) {
        byte[] secret = new byte[TokenText.SECRET_BYTES];
        secret[0] = (byte) (1 + number);
        byte[] id = new byte[TokenText.ID_BYTES];
        id[0] = (byte) (1 + number);
        TokenText text = TokenText.mint(kind, id, secret);
        fleet.create(
                Types.TOKEN,
                text.id(),
                "{\"kind\": \"" + kind.word() + "\", \"subject\": \"" + subject + "\", \"hash\": \""
                        + master.hash(text.secret()) + "\"}");
        return text;
    }

    private Optional<String> holder(TokenText token) {
        return identification
                .identify(fleet.snapshot(), token.reveal(), fleet.now)
                .map(caller -> caller.actor().toString());
    }

    /** The token of a decommissioned cluster works until it is purged: with it the cluster learns what to clean up. */
    @Test
    void aTokenOfAnEarlierClusterOfTheSameIdOpensNothing() {
        fleet.cluster("again", "dev", "{}");
        TokenText old = token(TokenText.Kind.CLUSTER, "again", 1);
        TokenText join = token(TokenText.Kind.JOIN, "again", 2);
        assertThat(holder(old)).contains("cluster:again");
        assertThat(holder(join)).isPresent();
        fleet.confirm(delete(Types.CLUSTER, "again"));
        assertThat(holder(old)).contains("cluster:again");
        fleet.confirm(new Operation.Purge("again", true));
        assertThat(holder(old)).isEmpty();
        assertThat(holder(join)).isEmpty();
        fleet.confirm(creation(Types.CLUSTER, "again", """
                {"cluster_name": "again", "cluster_dns": "again.k8s.example.com", "environment": "dev", "owner": "team-a"}
                """));
        assertThat(holder(old)).isEmpty();
        assertThat(holder(join)).isEmpty();
        assertThat(holder(token(TokenText.Kind.CLUSTER, "again", 3))).contains("cluster:again");
    }

    @Test
    void aRevokedTokenOpensNothing() {
        fleet.cluster("mine", "dev", "{}");
        int number = 10;
        for (TokenText.Kind kind : TokenText.Kind.values()) {
            TokenText token = token(kind, "mine", number++);
            assertThat(holder(token)).as(kind.name()).isPresent();
            fleet.write(edit(Types.TOKEN, token.id(), body -> body.put("revoked", true)));
            assertThat(holder(token)).as(kind.name()).isEmpty();
        }
    }

    @Test
    void aTokenOfOneKindIsNotOneOfAnother() {
        fleet.cluster("mine", "dev", "{}");
        TokenText token = token(TokenText.Kind.CLUSTER, "mine", 20);
        TokenText person = new TokenText(TokenText.Kind.PERSON, token.id(), token.secret());
        assertThat(holder(token)).isPresent();
        assertThat(holder(person)).isEmpty();
    }
}
