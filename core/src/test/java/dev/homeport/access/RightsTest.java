package dev.homeport.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.support.InMemoryView;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RightsTest {
    private static final Rights RIGHTS = new Rights();

    private static Caller holder(String kind) {
        Stamp stamp = new Stamp(1, 1, Instant.EPOCH, "person:alice", "");
        Body body =
                Body.of(StrictJson.object().put("id", "t1").put("kind", kind).put("subject", "c1"));
        Document document = Document.of(new DocumentKey(Types.TOKEN, "t1"), body, stamp, stamp);
        return StoredToken.of(document).caller("t1");
    }

    private static void opensNothing(Caller caller) {
        assertThat(RIGHTS.mayRead(caller)).isFalse();
        assertThat(RIGHTS.mayPoll(caller, "c1")).isFalse();
        for (Verb verb : Verb.values()) {
            assertThat(RIGHTS.refusal(caller, verb, new InMemoryView(Map.of()), Optional.empty(), Optional.empty()))
                    .as(verb.name())
                    .isPresent();
        }
    }

    @Test
    void whoeverComesWithoutATokenMayDoNothing() {
        opensNothing(Caller.anonymous());
    }

    @Test
    void aJoinTokenOpensNothingByItself() {
        opensNothing(holder("join"));
    }

    @Test
    void aClustersTokenPollsThatClusterAlone() {
        assertThat(RIGHTS.mayPoll(holder("cluster"), "c1")).isTrue();
        assertThat(RIGHTS.mayPoll(holder("cluster"), "c10")).isFalse();
        assertThat(RIGHTS.mayRead(holder("cluster"))).isFalse();
    }

    @Test
    void aPersonsTokenReads() {
        assertThat(RIGHTS.mayRead(holder("person"))).isTrue();
    }
}
