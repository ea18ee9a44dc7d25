package dev.homeport.access;

import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import dev.homeport.write.Operation;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The tokens of one cluster are found without looking at those of the others. */
class ClusterTokensTest extends FleetTest {
    private void token(String id, String kind, String subject) {
        fleet.create(
                Types.TOKEN,
                id,
                "{\"kind\": \"" + kind + "\", \"subject\": \"" + subject + "\", \"hash\": \"" + "0a".repeat(32)
                        + "\"}");
    }

    private List<String> tokens(String cluster) {
        Iterable<DocumentKey> keys = fleet.snapshot().users(AccessKeys.tokensOfCluster(cluster));
        return StreamSupport.stream(keys.spliterator(), false)
                .map(DocumentKey::id)
                .toList();
    }

    @Test
    void theyAreItsOwnThatWereNotRevoked() {
        fleet.cluster("c1", "dev", "{}");
        fleet.cluster("c11", "dev", "{}");
        token("t1", "cluster", "c1");
        token("t2", "cluster", "c1");
        token("t3", "cluster", "c11");
        token("t4", "service", "c1");
        token("t5", "join", "c1");
        assertThat(tokens("c1")).containsExactly("t1", "t2");
        assertThat(tokens("c11")).containsExactly("t3");
        fleet.write(edit(Types.TOKEN, "t1", body -> body.put("revoked", true)));
        assertThat(tokens("c1")).containsExactly("t2");
        restart();
        assertThat(tokens("c1")).containsExactly("t2");
        fleet.write(delete(Types.TOKEN, "t2"));
        assertThat(tokens("c1")).isEmpty();
        fleet.write(new Operation.Detach("c11"));
        fleet.write(new Operation.Purge("c11", true));
        assertThat(tokens("c11")).as("a purge revokes them").isEmpty();
        assertThat(StoredToken.of(fleet.document(Types.TOKEN, "t3")).revoked()).isTrue();
    }
}
