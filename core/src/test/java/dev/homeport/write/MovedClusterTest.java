package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was given in one workspace is worth nothing in another. */
class MovedClusterTest {
    private static final Operation MOVE = edit(Types.CLUSTER, "c1", body -> body.put("workspace", "search"));

    @TempDir
    Path directory;

    private TestFleet fleet;

    @BeforeEach
    void build() {
        fleet = TestFleet.sqlite(directory);
        fleet.create(Types.WORKSPACE, "payments", "{}");
        fleet.create(Types.WORKSPACE, "search", "{}");
        fleet.cluster("c1", "dev", "{\"workspace\": \"payments\"}");
        fleet.cluster("c2", "dev", "{\"workspace\": \"payments\"}");
        for (String cluster : List.of("c1", "c2")) {
            fleet.write(granting("g" + cluster, "person:cleo", "cluster-admin", "{\"cluster\": \"" + cluster + "\"}"));
            for (String kind : List.of("cluster", "join")) {
                fleet.create(
                        Types.TOKEN,
                        kind + cluster,
                        "{\"kind\": \"" + kind + "\", \"subject\": \"" + cluster + "\", \"hash\": \"" + "0".repeat(64)
                                + "\"}");
            }
        }
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static Operation granting(String id, String subject, String role, String scope) {
        return creation(
                Types.ACCESS_GRANT,
                id,
                "{\"subject\": \"" + subject + "\", \"role\": \"" + role + "\", \"scope\": " + scope + "}");
    }

    private static Caller person(String name) {
        return new Caller(new Actor(Actor.Kind.PERSON, name), Caller.Access.GRANTED, Optional.empty(), "");
    }

    private boolean isThere(String type, String id) {
        return fleet.snapshot().find(new DocumentKey(type, id)).isPresent();
    }

    private boolean isRevoked(String token) {
        return fleet.document(Types.TOKEN, token).tree().path("revoked").booleanValue(false);
    }

    @Test
    void grantsOnTheClusterEndWithTheMove() {
        Outcome.Planned planned = (Outcome.Planned)
                fleet.writer.write(WriteRequest.of(TestFleet.ALICE, "", MOVE).with(WriteRequest.Flag.DRY_RUN));
        assertThat(planned.plan().documents())
                .contains(new Plan.DocumentChange(
                        new DocumentKey(Types.ACCESS_GRANT, "gc1"), Plan.DocumentChange.Kind.REMOVED));
        fleet.write(MOVE);
        assertThat(isThere(Types.ACCESS_GRANT, "gc1")).isFalse();
        assertThat(isThere(Types.ACCESS_GRANT, "gc2")).isTrue();
        assertThat(Powers.of(fleet.snapshot(), person("cleo"), fleet.now).sees(fleet.document(Types.CLUSTER, "c1")))
                .isFalse();
        assertThat(List.of(isRevoked("joinc1"), isRevoked("joinc2"), isRevoked("clusterc1")))
                .containsExactly(true, false, false);
    }

    @Test
    void theyStayWhenItStays() {
        fleet.write(edit(Types.CLUSTER, "c1", body -> body.put("kubernetes_version", "1.34.2")));
        assertThat(isThere(Types.ACCESS_GRANT, "gc1")).isTrue();
        assertThat(isRevoked("joinc1")).isFalse();
    }

    @Test
    void theMoverNeedsNoRightOverThemAndSeesOnlyTheirOwn() {
        fleet.create(
                Types.ACCESS_ROLE,
                "mover",
                "{\"cluster_scoped\": true, \"permissions\": [{\"verbs\": [\"read\", \"update\"], \"types\": [\"cluster\"]}]}");
        fleet.write(granting("gmax", "person:max", "mover", "{\"fleet\": true}"));
        Outcome.Committed moved =
                (Outcome.Committed) fleet.writer.write(WriteRequest.of(person("max"), "", List.of(MOVE)));
        assertThat(moved.plan().documents())
                .containsExactly(new Plan.DocumentChange(
                        new DocumentKey(Types.CLUSTER, "c1"), Plan.DocumentChange.Kind.CHANGED));
        assertThat(moved.plan().others()).isTrue();
        assertThat(isThere(Types.ACCESS_GRANT, "gc1")).isFalse();
    }

    /** Judged by the workspace that the cluster leaves, it would hold in the one that it goes to. */
    @Test
    void nobodyGrantsOnAClusterInTheChangeThatMovesIt() {
        fleet.write(granting("gold", "person:wendy", "cluster-admin", "{\"workspace\": \"payments\"}"));
        fleet.write(granting("gnew", "person:wendy", "service", "{\"workspace\": \"search\"}"));
        Operation keep = granting("gkeep", "person:wendy", "cluster-admin", "{\"cluster\": \"c1\"}");
        assertThatThrownBy(() -> fleet.writer.write(WriteRequest.of(person("wendy"), "", List.of(MOVE, keep))))
                .hasMessageContaining("moves to another workspace");
        fleet.write(MOVE, keep);
        assertThat(isThere(Types.ACCESS_GRANT, "gkeep")).isTrue();
    }
}
