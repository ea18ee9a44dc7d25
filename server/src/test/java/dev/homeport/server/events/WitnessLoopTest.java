package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Clusters are asked what is on them, and what they answer is asked with from then on. */
@OutsideIn
class WitnessLoopTest {
    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode delivery(String cluster) {
        return server.admin()
                .get("/api/v2/clusters/" + cluster + "/delivery")
                .expect(200)
                .json();
    }

    private static String digest(String cluster, String component) {
        return delivery(cluster)
                .at("/components/" + component + "/desired/digest")
                .stringValue();
    }

    private static List<String> questions(JsonNode answer) {
        List<String> all = new ArrayList<>();
        answer.path("items")
                .forEach(set -> set.path("observe")
                        .forEach(object -> all.add(object.path("question").asString(""))));
        return all;
    }

    /** A cluster that has answered once, and has polled everything. */
    private static Flux talking(String cluster) {
        Flux flux = Flux.adopt(server, cluster, cluster + "-app");
        flux.poll();
        assertThat(questions(flux.witnesses()))
                .as("one that never answered is asked one thing")
                .hasSize(1);
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        return flux;
    }

    private static void awaitState(String cluster, String state) {
        Await.until(() -> delivery(cluster).path("state").asString(""), state::equals);
    }

    @Test
    void aWitnessEndsAFailureThatNoEventEnds() {
        Flux flux = talking("healed");
        String app = "healed-app";
        assertThat(questions(flux.witnesses()))
                .containsExactlyInAnyOrder(
                        "type/namespaces",
                        "type/rolebindings",
                        "type/platform-components",
                        "component/" + app,
                        "facts");
        flux.post(flux.release(app, "UpgradeFailed", "1.0.0", flux.poll())).expect(202);
        awaitState("healed", "failing");
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0+abc", digest("healed", app)))
                .expect(202);
        awaitState("healed", "in-sync");
        JsonNode told = delivery("healed");
        assertThat(told.path("state_source").asString("")).isEqualTo("witness");
        assertThat(told.at("/components/" + app + "/healthy/source").asString(""))
                .isEqualTo("witness");
        assertThat(told.at("/types/namespaces/applied/source").asString("")).isEqualTo("witness");
    }

    @Test
    void aWitnessOfAnotherItemOrRevisionProvesNothing() {
        Flux flux = talking("unproven");
        String app = "unproven-app";
        flux.poll();
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0", "0123456789abcdef"))
                .expect(202);
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "0.9.0", digest("unproven", app)))
                .expect(202);
        assertThat(delivery("unproven").path("state").asString("")).isEqualTo("applying");
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0", digest("unproven", app)))
                .expect(202);
        awaitState("unproven", "in-sync");
        flux.post(flux.witness("component/" + app, "HelmRelease", "False", "1.0.0", digest("unproven", app)))
                .expect(202);
        awaitState("unproven", "failing");
    }

    @Test
    void aFailureAfterwardsMakesTheClusterLookAgain() {
        Flux flux = talking("again");
        String app = "again-app";
        String answer = flux.poll();
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0", digest("again", app)))
                .expect(202);
        awaitState("again", "in-sync");
        JsonNode before = flux.witnesses();
        flux.post(Flux.at(
                        flux.release(app, "UpgradeFailed", "1.0.0", answer),
                        Instant.now().plusSeconds(2)))
                .expect(202);
        awaitState("again", "failing");
        JsonNode after = flux.witnesses();
        assertThat(after.path("count").asInt()).isEqualTo(before.path("count").asInt() + 1);
        assertThat(after.path("digest").asString())
                .isNotEqualTo(before.path("digest").asString());
    }

    @Test
    void aRecoveredTypeIsNoLongerFailing() {
        Flux flux = talking("types");
        flux.poll();
        String digest = digest("types", "types-app");
        flux.post(flux.witness("component/types-app", "HelmRelease", "True", "1.0.0", digest))
                .expect(202);
        awaitState("types", "in-sync");
        var failed = flux.applied("namespaces")
                .put("severity", "error")
                .put("reason", "ReconciliationFailed")
                .put("message", "the policy webhook is away");
        failed.withObject("involvedObject").put("name", "homeport-namespaces");
        flux.post(failed).expect(202);
        awaitState("types", "failing");
        flux.post(flux.witness("type/rolebindings", "ResourceSet", "True", "", ""))
                .expect(202);
        assertThat(delivery("types").path("state").asString("")).isEqualTo("failing");
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        awaitState("types", "in-sync");
    }

    /** Each role binding has a set of its own, which the set of the type knows nothing about. */
    @Test
    void theSetOfOneItemThatFailedIsLookedAtUntilItIsWell() {
        Flux flux = talking("single");
        flux.poll();
        String digest = digest("single", "single-app");
        flux.post(flux.witness("component/single-app", "HelmRelease", "True", "1.0.0", digest))
                .expect(202);
        awaitState("single", "in-sync");
        assertThat(questions(flux.witnesses())).doesNotContain("set/b-team");
        var failed = flux.applied("rolebindings")
                .put("severity", "error")
                .put("reason", "ReconciliationFailed")
                .put("message", "the policy webhook is away");
        failed.withObject("involvedObject").put("name", "b-team");
        flux.post(failed).expect(202);
        awaitState("single", "failing");
        assertThat(questions(flux.witnesses())).contains("set/b-team");
        flux.post(flux.witness("type/rolebindings", "ResourceSet", "True", "", ""))
                .expect(202);
        assertThat(delivery("single").path("state").asString("")).isEqualTo("failing");
        flux.post(flux.witness("set/b-team", "ResourceSet", "True", "", "")).expect(202);
        awaitState("single", "in-sync");
        assertThat(questions(flux.witnesses())).doesNotContain("set/b-team");
    }

    @Test
    void onlyWhatWasAskedIsKept() {
        Flux flux = talking("curious");
        Flux other = talking("other");
        String before = flux.witnesses().path("digest").asString();
        String others = other.witnesses().path("digest").asString();
        flux.post(flux.witness("component/other-app", "HelmRelease", "True", "1.0.0", "x"))
                .expect(202);
        flux.post(flux.witness("component/never-heard-of", "HelmRelease", "True", "1.0.0", "x"))
                .expect(202);
        assertThat(flux.witnesses().path("digest").asString()).isEqualTo(before);
        assertThat(other.witnesses().path("digest").asString()).isEqualTo(others);
        flux.post(flux.witness("component/curious-app", "HelmRelease", "False", "' || true || '", "<< fail >>"))
                .expect(202);
        assertThat(flux.witnesses().path("digest").asString()).isNotEqualTo(before);
        assertThat(other.witnesses().path("digest").asString()).isEqualTo(others);
        assertThat(flux.witnesses().toString()).doesNotContain("' || true || '").doesNotContain("<<");
    }

    @Test
    void anOlderAnswerChangesNothing() {
        Flux flux = talking("late");
        String app = "late-app";
        flux.poll();
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0", digest("late", app)))
                .expect(202);
        awaitState("late", "in-sync");
        flux.post(Flux.at(
                        flux.witness("component/" + app, "HelmRelease", "False", "1.0.0", digest("late", app)),
                        Instant.now().minusSeconds(60)))
                .expect(202);
        assertThat(delivery("late").path("state").asString("")).isEqualTo("in-sync");
    }

    @Test
    void aComponentThatIsGoneIsNotHealthy() {
        Flux flux = talking("gone");
        String app = "gone-app";
        flux.poll();
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0", digest("gone", app)))
                .expect(202);
        awaitState("gone", "in-sync");
        flux.post(Flux.at(
                        flux.witness(
                                "component/" + app,
                                "Retrying dependency check: dependency helm.toolkit.fluxcd.io/v2/HelmRelease/flux-system/c-it"
                                        + " not found: helmreleases.helm.toolkit.fluxcd.io \"c-it\" not found"),
                        Instant.now().plusSeconds(1)))
                .expect(202);
        awaitState("gone", "applying");
    }

    @Test
    void wordsThatNobodyKnowsChangeNothingThatIsKnown() {
        Flux flux = talking("foreign");
        String app = "foreign-app";
        flux.poll();
        flux.post(flux.witness("component/" + app, "HelmRelease", "True", "1.0.0", digest("foreign", app)))
                .expect(202);
        awaitState("foreign", "in-sync");
        flux.post(flux.witness("component/" + app, "clé absente")).expect(202);
        assertThat(delivery("foreign").path("state").asString("")).isEqualTo("in-sync");
    }

    @Test
    void theSettingSwitchesThemOff(@TempDir Path own) {
        try (TestServer off = TestServer.in(own)) {
            Flux flux = Flux.adopt(off, "quiet", "quiet-app");
            flux.poll();
            assertThat(flux.witnesses().path("count").asInt()).isEqualTo(1);
            off.admin()
                    .send(
                            "PATCH",
                            "/api/v2/settings/fleet",
                            "{\"spec\":{\"witnesses\":false}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            JsonNode answer = flux.witnesses();
            assertThat(answer.path("count").asInt()).isZero();
            assertThat(answer.path("drain").asBoolean()).isTrue();
        }
    }

    @Test
    void whatAWitnessSaidSurvivesARestart(@TempDir Path own) {
        TestServer first = TestServer.in(own);
        Flux flux = Flux.adopt(first, "kept", "kept-app");
        flux.poll();
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        assertThat(flux.witnesses().path("count").asInt()).isGreaterThan(1);
        String before = flux.witnesses().path("digest").asString();
        first.close();
        try (TestServer second = TestServer.in(own)) {
            Flux again = flux.at(second.poll("").base());
            assertThat(Await.until(
                                    () -> again.client()
                                            .get("/api/v2/flux/clusters/" + Flux.dns("kept") + "/sets/witnesses"),
                                    reply -> reply.status() == 200)
                            .at("/inputs/0/digest")
                            .asString())
                    .isEqualTo(before);
        }
    }
}
