package dev.homeport.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Body;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RightsTest {
    private static final Rights RIGHTS = new Rights(() -> Instant.EPOCH);

    /** No documents, and so no grants. */
    private static final AccessView NOTHING = new AccessView() {
        @Override
        public Iterable<DocumentKey> users(String key) {
            return List.of();
        }

        @Override
        public Iterable<Document> documents(String type) {
            return List.of();
        }

        @Override
        public Iterable<Document> clustersOf(String workspace) {
            return List.of();
        }

        @Override
        public Document document(String type, String id) {
            return null;
        }

        @Override
        public TypeCatalog types() {
            return BuiltInTypes.catalog();
        }
    };

    private static Document document(String type, String id, String json) {
        Stamp stamp = new Stamp(1, 1, Instant.EPOCH, "person:alice", "");
        return Document.of(new DocumentKey(type, id), Body.of(StrictJson.read(json)), stamp, stamp);
    }

    private static Caller holder(String kind) {
        String body = "{\"id\":\"t1\",\"kind\":\"" + kind + "\",\"subject\":\"c1\"}";
        return StoredToken.of(document(Types.TOKEN, "t1", body)).caller("t1");
    }

    private static Document cluster(String id) {
        return document(Types.CLUSTER, id, "{\"id\":\"" + id + "\",\"environment\":\"dev\"}");
    }

    private static void opensNothing(Caller caller) {
        assertThat(RIGHTS.mayEnter(NOTHING, caller)).isFalse();
        assertThat(RIGHTS.mayPoll(NOTHING, caller, cluster("c1"))).isFalse();
        Powers powers = RIGHTS.powers(NOTHING, caller);
        assertThat(powers.sees(cluster("c1"))).isFalse();
        for (Verb verb : Verb.values()) {
            assertThat(powers.refusal(verb, Optional.empty(), Optional.empty()))
                    .as(verb.name())
                    .isPresent();
            assertThat(powers.refusal(verb, Optional.of(cluster("c1")), Optional.of(cluster("c1"))))
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
        assertThat(RIGHTS.mayPoll(NOTHING, holder("cluster"), cluster("c1"))).isTrue();
        assertThat(RIGHTS.mayPoll(NOTHING, holder("cluster"), cluster("c10"))).isFalse();
        assertThat(RIGHTS.mayEnter(NOTHING, holder("cluster"))).isFalse();
    }

    @Test
    void aPersonsTokenOpensWhatIsGrantedAndNothingElse() {
        opensNothing(holder("person"));
        opensNothing(holder("service"));
    }
}
