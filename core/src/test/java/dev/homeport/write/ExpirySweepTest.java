package dev.homeport.write;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ExpirySweepTest {
    @TempDir
    Path directory;

    TestFleet fleet;

    @BeforeEach
    void open() {
        fleet = TestFleet.sqlite(directory);
        fleet.component("grafana");
        fleet.component("loki");
        fleet.create(Types.NAMESPACE, "apps", "{}");
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    ExpirySweep.Swept sweep() {
        return new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
    }

    JsonNode item(String cluster) {
        return fleet.json(cluster, "platform-components", WireShape.FLAT)
                .get("inputs")
                .get(0);
    }

    @Test
    void nothingChangesUntilTheSweepCommitsIt() {
        fleet.cluster("c1", "dev", """
                {"platform_components": [{"id": "grafana", "oci_tag": "v9", "expires_at": "2026-01-02T00:00:00Z"}],
                 "patches": {"grafana": {"a": {"b": 1, "c": 2}}},
                 "patch_info": {"grafana": {"a.b": {"expires_at": "2026-01-02T00:00:00Z"}}}}""");
        fleet.advance(Duration.ofDays(3));
        assertThat(item("c1").get("source").get("oci_tag").stringValue()).isEqualTo("v9");
        long before = fleet.snapshot().revision();
        assertThat(sweep().removed()).containsExactly(new DocumentKey(Types.CLUSTER, "c1"));
        assertThat(fleet.snapshot().revision()).isEqualTo(before + 1);
        assertThat(item("c1").get("source").get("oci_tag").stringValue()).isEqualTo("v1.0.0");
        assertThat(item("c1").get("patches")).isEqualTo(StrictJson.read("{\"a.c\": 2}"));
        assertThat(fleet.store.commit(before + 1).orElseThrow().commit().actor().toString())
                .isEqualTo("system:homeport");
        assertThat(sweep().removed()).isEmpty();
    }

    @Test
    void anEphemeralClusterDecommissionsItself() {
        fleet.cluster(
                "c1",
                "dev",
                "{\"platform_components\": [{\"id\": \"grafana\"}], \"expires_at\": \"2026-01-02T00:00:00Z\"}");
        assertThat(sweep().removed()).isEmpty();
        fleet.advance(Duration.ofDays(1));
        sweep();
        assertThat(fleet.answer("c1", "platform-components")).isInstanceOf(Answer.ConfirmedEmpty.class);
        assertThat(sweep().removed()).isEmpty();
    }

    @Test
    void whatWasConfirmedWhenTheExpiryWasSetIsCarriedOut() {
        fleet.cluster("p1", "prod", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        Operation expire = edit(Types.CLUSTER, "p1", body -> body.put("expires_at", "2026-01-02T00:00:00Z"));
        assertThatThrownBy(() -> fleet.write(expire)).hasMessageContaining("when cluster/p1 expires");
        fleet.confirm(expire);
        fleet.advance(Duration.ofDays(2));
        assertThat(sweep().held()).isEmpty();
        assertThat(fleet.answer("p1", "platform-components")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void anExpiryThatWouldRemoveMoreThanWasConfirmedIsHeld() {
        fleet.cluster("p1", "prod", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.confirm(edit(Types.CLUSTER, "p1", body -> body.put("expires_at", "2026-01-02T00:00:00Z")));
        fleet.write(edit(Types.ENVIRONMENT, "prod", body -> {
            body.putArray("namespaces").addObject().put("id", "apps");
            return body;
        }));
        fleet.advance(Duration.ofDays(2));
        assertThat(sweep().held()).hasSize(1);
        assertThat(fleet.answer("p1", "platform-components")).isInstanceOf(Answer.Inputs.class);
    }

    @Test
    void freezesGracesAndPausesEnd() {
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("c2", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.create(
                Types.FREEZE,
                "f1",
                "{\"scope\": {\"fleet\": true}, \"reason\": \"x\", \"expires_at\": \"2026-01-02T00:00:00Z\"}");
        fleet.write(new Operation.Decommission("c1", Optional.of(fleet.now.plus(Duration.ofDays(3)))));
        fleet.write(new Operation.Pause("c2", new Note(null, null, fleet.now.plus(Duration.ofDays(4)))));
        fleet.advance(Duration.ofDays(2));
        assertThat(sweep().removed()).containsExactly(new DocumentKey(Types.FREEZE, "f1"));
        fleet.advance(Duration.ofDays(3));
        assertThat(sweep().removed()).hasSize(2);
        assertThat(fleet.answer("c1", "platform-components")).isInstanceOf(Answer.ConfirmedEmpty.class);
        assertThat(fleet.snapshot().expiries()).isEmpty();
    }

    @Test
    void namespacesGoOnlyAfterTheClusterHasReleasedThem() {
        fleet.cluster("p1", "prod", "{\"namespaces\": [{\"id\": \"apps\"}]}");
        fleet.confirm(new Operation.Decommission("p1", Optional.empty(), Operation.Decommission.Namespaces.DELETE));
        JsonNode served =
                fleet.json("p1", "namespaces", WireShape.FLAT).get("inputs").get(0);
        assertThat(served.get("keep").booleanValue()).isFalse();
        assertThat(sweep().removed()).isEmpty();
        assertThat(fleet.answer("p1", "namespaces")).isInstanceOf(Answer.Inputs.class);
        fleet.contact.released.add("p1");
        assertThat(sweep().held()).isEmpty();
        assertThat(fleet.answer("p1", "namespaces")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void theEndOfAConfirmedGraceEmptiesAProtectedCluster() {
        fleet.cluster("p1", "prod", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        Operation leave = new Operation.Decommission("p1", Optional.of(fleet.now.plus(Duration.ofDays(1))));
        assertThatThrownBy(() -> fleet.write(leave)).isInstanceOf(ConfirmationRequired.class);
        fleet.confirm(leave);
        assertThat(fleet.answer("p1", "platform-components")).isInstanceOf(Answer.Inputs.class);
        fleet.advance(Duration.ofDays(1));
        assertThat(sweep().held()).isEmpty();
        assertThat(fleet.answer("p1", "platform-components")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }
}
