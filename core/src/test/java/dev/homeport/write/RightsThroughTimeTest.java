package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Note;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.TestFleet;
import dev.homeport.support.TestTokens;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Waiting never grants what is refused at once. */
class RightsThroughTimeTest {
    private static final Caller CI = caller(Actor.Kind.SERVICE, "ci");
    private static final Caller WENDY = caller(Actor.Kind.PERSON, "wendy");
    private static final Caller COMPAT = new Caller(
            new Actor(Actor.Kind.COMPAT, "writer"), Caller.Access.COMPAT_WRITER, Optional.empty(), "", Set.of());

    @TempDir
    Path directory;

    private TestFleet fleet;

    @BeforeEach
    void build() {
        fleet = TestFleet.sqlite(directory);
        fleet.component("grafana");
        fleet.create(Types.WORKSPACE, "payments", "{\"service_account\": \"payments\"}");
        fleet.create(Types.WORKSPACE, "search", "{}");
        fleet.cluster("p1", "prod", "{\"workspace\": \"payments\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("d1", "dev", "{\"workspace\": \"payments\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        grant("gci", "service:ci", "service", "{\"fleet\": true}", "{}");
        grant("gwendy", "person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}", "{}");
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static Caller caller(Actor.Kind kind, String name) {
        return new Caller(new Actor(kind, name), Caller.Access.GRANTED, Optional.empty(), "");
    }

    private static Operation granting(String id, String subject, String role, String scope, String more) {
        ObjectNode body = StrictJson.object().put("subject", subject).put("role", role);
        body.set("scope", StrictJson.read(scope));
        body.setAll(StrictJson.read(more));
        return new Operation.Create(new DocumentKey(Types.ACCESS_GRANT, id), body);
    }

    private void grant(String id, String subject, String role, String scope, String more) {
        fleet.write(granting(id, subject, role, scope, more));
    }

    private void role(String id, String verbs, String types) {
        fleet.create(
                Types.ACCESS_ROLE,
                id,
                "{\"cluster_scoped\": true, \"permissions\": [{\"verbs\": " + verbs + ", \"types\": " + types + "}]}");
    }

    private Outcome as(Caller caller, Operation... operations) {
        return as(caller, List.of(operations));
    }

    private Outcome as(Caller caller, List<Operation> operations) {
        WriteRequest request = WriteRequest.of(caller, "a test", operations);
        try {
            return fleet.writer.write(request);
        } catch (ConfirmationRequired e) {
            return fleet.writer.write(request.confirmedBy(e.token()));
        }
    }

    private void forbidden(Caller caller, Operation... operations) {
        forbidden(caller, List.of(operations));
    }

    private void forbidden(Caller caller, List<Operation> operations) {
        assertThatThrownBy(() -> as(caller, operations))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().code()).as(e.getMessage()).isEqualTo(ErrorCode.FORBIDDEN));
    }

    private static Operation end(String cluster, Instant at) {
        return edit(Types.CLUSTER, cluster, body -> body.put("expires_at", at.toString()));
    }

    private ExpirySweep.Swept sweep() {
        return new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
    }

    private long revision(Outcome outcome) {
        return ((Outcome.Committed) outcome).commit().revision();
    }

    @Test
    void theEndOfAClusterIsForWhoeverMayDecommissionIt() {
        Instant soon = fleet.now.plusSeconds(6);
        for (String cluster : List.of("p1", "d1")) {
            for (Caller caller : List.of(CI, COMPAT)) {
                forbidden(caller, end(cluster, soon));
                ObjectNode whole = fleet.document(Types.CLUSTER, cluster).tree().put("expires_at", soon.toString());
                DocumentKey key = new DocumentKey(Types.CLUSTER, cluster);
                forbidden(caller, new Operation.Put(key, whole));
                forbidden(caller, new Operation.Replace(key, whole, Expected.ANY));
                forbidden(
                        caller,
                        edit(Types.CLUSTER, "d1", body -> body.put("kubernetes_version", "1.34.2")),
                        end(cluster, soon));
            }
        }
        fleet.advance(Duration.ofSeconds(10));
        assertThat(sweep().removed()).isEmpty();
        as(WENDY, end("d1", fleet.now.plusSeconds(60)));
        fleet.advance(Duration.ofMinutes(2));
        sweep();
        assertThat(fleet.answer("d1", "platform-components")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void anEndIsPostponedByWhoeverMayUpdateAndBroughtNearerByNobodyElse() {
        Instant day = fleet.now.plus(Duration.ofDays(1));
        as(WENDY, end("d1", day));
        as(CI, end("d1", day.plusSeconds(1)));
        forbidden(CI, end("d1", day));
        as(CI, edit(Types.CLUSTER, "d1", body -> body.without("expires_at")));
        forbidden(CI, end("d1", day.plus(Duration.ofDays(100))));
    }

    @Test
    void theNewClusterOfSomebodyWhoMayNotDecommissionHasNoEnd() {
        role("maker", "[\"read\", \"create\"]", "[\"cluster\"]");
        grant("gmaker", "person:max", "maker", "{\"fleet\": true}", "{}");
        Caller max = caller(Actor.Kind.PERSON, "max");
        String body = "{\"cluster_name\": \"n1\", \"cluster_dns\": \"n1.example.com\", \"environment\": \"dev\","
                + " \"owner\": \"max\"";
        forbidden(max, creation(Types.CLUSTER, "n1", body + ", \"expires_at\": \"2026-02-01T00:00:00Z\"}"));
        as(max, creation(Types.CLUSTER, "n1", body + "}"));
    }

    /** What expires in a document changes it, and so needs the right to update it, although the document is new. */
    @Test
    void whoMayOnlyCreateSetsNothingThatExpires() {
        role("maker", "[\"read\", \"create\"]", "[\"cluster\", \"workspace\"]");
        role("keeper", "[\"read\", \"create\", \"update\"]", "[\"cluster\", \"workspace\"]");
        grant("gmax", "person:max", "maker", "{\"fleet\": true}", "{}");
        grant("gkim", "person:kim", "keeper", "{\"fleet\": true}", "{}");
        Caller max = caller(Actor.Kind.PERSON, "max");
        Caller kim = caller(Actor.Kind.PERSON, "kim");
        String end = "\"expires_at\": \"" + fleet.now.plusSeconds(60) + "\"";
        String base =
                "{\"cluster_name\": \"nine\", \"cluster_dns\": \"nine.k8s.example.com\", \"environment\": \"dev\","
                        + " \"owner\": \"a\", \"platform_components\": [{\"id\": \"grafana\"}]";
        List<String> expiring = List.of(
                "\"platform_components\": [{\"id\": \"grafana\", \"reason\": \"r\", " + end + "}]",
                "\"patches\": {\"grafana\": {\"replicas\": \"2\"}}, \"patch_info\": {\"grafana\": {\"replicas\": {"
                        + end + "}}}",
                "\"dns_aliases\": [{\"dns\": \"more.k8s.example.com\", " + end + "}]");
        for (String fields : expiring) {
            ObjectNode body = StrictJson.read(base + "}");
            body.setAll(StrictJson.read("{" + fields + "}"));
            forbidden(max, new Operation.Create(new DocumentKey(Types.CLUSTER, "nine"), body));
        }
        ObjectNode layer = StrictJson.read("{" + expiring.getFirst() + "}");
        forbidden(max, new Operation.Create(new DocumentKey(Types.WORKSPACE, "wide"), layer));
        ObjectNode nested = StrictJson.object();
        nested.putObject("by_environment").set("dev", layer);
        forbidden(max, new Operation.Create(new DocumentKey(Types.WORKSPACE, "wide"), nested));

        as(max, creation(Types.CLUSTER, "nine", base + "}"));
        as(kim, new Operation.Create(new DocumentKey(Types.WORKSPACE, "wide"), nested));
        fleet.advance(Duration.ofMinutes(2));
        sweep();
        assertThat(fleet.document(Types.WORKSPACE, "wide").tree().toString()).doesNotContain("grafana");
    }

    @Test
    void revertsAndRestoresBringNoEndBack() {
        Outcome set = as(WENDY, end("d1", fleet.now.plus(Duration.ofDays(1))));
        Outcome dropped = as(CI, edit(Types.CLUSTER, "d1", body -> body.without("expires_at")));
        forbidden(CI, Undoing.commit(fleet.store, revision(dropped)));
        forbidden(CI, Undoing.document(fleet.store, new DocumentKey(Types.CLUSTER, "d1"), revision(set)));
        as(WENDY, Undoing.commit(fleet.store, revision(dropped)));
    }

    /** A revert of both at once must not ask for the lesser right only. */
    @Test
    void aRevertThatPausesAndDecommissionsNeedsBothRights() {
        role("pauser", "[\"read\", \"update\", \"pause\", \"resume\"]", "[\"cluster\"]");
        grant("gpauser", "person:pat", "pauser", "{\"fleet\": true}", "{}");
        Caller pat = caller(Actor.Kind.PERSON, "pat");
        as(WENDY, new Operation.Pause("d1", new Note(null, null, null)));
        as(WENDY, new Operation.Decommission("d1", Optional.of(fleet.now.plus(Duration.ofDays(1)))));
        Outcome undeleted = as(WENDY, new Operation.Undelete("d1"));
        forbidden(pat, Undoing.commit(fleet.store, revision(undeleted)));
        as(WENDY, Undoing.commit(fleet.store, revision(undeleted)));
    }

    @Test
    void theRevertOfADeletionIsACreation() {
        fleet.contact.polled.remove("d1");
        Outcome gone = as(WENDY, delete(Types.CLUSTER, "d1"));
        forbidden(CI, Undoing.commit(fleet.store, revision(gone)));
        as(WENDY, Undoing.commit(fleet.store, revision(gone)));
    }

    @Test
    void aPauseThatEndsIsForWhoeverMayResume() {
        role("pauser", "[\"read\", \"pause\"]", "[\"cluster\"]");
        grant("gpauser", "person:pat", "pauser", "{\"fleet\": true}", "{}");
        Caller pat = caller(Actor.Kind.PERSON, "pat");
        forbidden(pat, new Operation.Pause("d1", new Note(null, null, fleet.now.plusSeconds(1))));
        as(pat, new Operation.Pause("d1", new Note(null, null, null)));
    }

    @Test
    void aClusterThatComesBackWithAnEndNeedsTheRightToEndIt() {
        role("back", "[\"read\", \"undelete\"]", "[\"cluster\"]");
        grant("gback", "person:bea", "back", "{\"fleet\": true}", "{}");
        as(WENDY, end("d1", fleet.now.plus(Duration.ofDays(1))));
        as(WENDY, new Operation.Decommission("d1", Optional.empty()));
        forbidden(caller(Actor.Kind.PERSON, "bea"), new Operation.Undelete("d1"));
        fleet.advance(Duration.ofDays(2));
        as(caller(Actor.Kind.PERSON, "bea"), new Operation.Undelete("d1"));
        assertThat(fleet.document(Types.CLUSTER, "d1").tree().has("expires_at")).isFalse();
        assertThat(sweep().removed()).isEmpty();
        assertThat(fleet.answer("d1", "platform-components")).isInstanceOf(Answer.Inputs.class);
    }

    @Test
    void freezesAndGrantsEndAtTheHandOfWhoeverMayRemoveThem() {
        role("editor", "[\"read\", \"update\"]", "[\"*\"]");
        grant("geditor", "person:ed", "editor", "{\"fleet\": true}", "{}");
        grant("gviewer", "person:val", "viewer", "{\"fleet\": true}", "{}");
        Caller ed = caller(Actor.Kind.PERSON, "ed");
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"fleet\": true}, \"reason\": \"x\"}");
        String soon = fleet.now.plusSeconds(1).toString();
        forbidden(ed, edit(Types.FREEZE, "xmas", body -> body.put("expires_at", soon)));
        forbidden(ed, edit(Types.FREEZE, "xmas", body -> {
            body.putObject("scope").put("cluster", "d1");
            return body;
        }));
        forbidden(ed, edit(Types.ACCESS_GRANT, "gviewer", body -> body.put("expires_at", soon)));
        as(ed, edit(Types.FREEZE, "xmas", body -> body.put("reason", "y")));
    }

    /** The end of a token, brought nearer, revokes it and all that was made with it. */
    @Test
    void tokensOfOthersAreEndedWithTheRightToRevokeThem() {
        TestTokens tokens = new TestTokens(fleet);
        role("minter", "[\"read\", \"create\", \"update\"]", "[\"token\"]");
        role("keeper", "[\"read\", \"create\", \"update\", \"delete\"]", "[\"token\"]");
        for (String name : List.of("person:mia", "person:kim", "service:robot")) {
            grant("gview-" + name.substring(name.indexOf(':') + 1), name, "viewer", "{\"fleet\": true}", "{}");
        }
        grant("gmia", "person:mia", "minter", "{\"fleet\": true}", "{}");
        grant("gkim", "person:kim", "keeper", "{\"fleet\": true}", "{}");
        TokenText robot = tokens.make(
                TestTokens.ROOT,
                "service",
                "robot",
                "{\"expires_at\": \"" + fleet.now.plus(Duration.ofDays(30)) + "\"}");
        TokenText child = tokens.make(tokens.holder(robot).orElseThrow(), "service", "robot");
        TokenText cluster = tokens.make(TestTokens.ROOT, "cluster", "d1");
        Caller mia = caller(Actor.Kind.PERSON, "mia");
        String soon = fleet.now.plusSeconds(1).toString();
        for (TokenText token : List.of(robot, cluster)) {
            DocumentKey key = new DocumentKey(Types.TOKEN, token.id());
            Operation label = edit(Types.TOKEN, token.id(), body -> body.put("label", "seen"));
            ObjectNode ended = fleet.document(Types.TOKEN, token.id()).tree().put("expires_at", soon);
            forbidden(mia, edit(Types.TOKEN, token.id(), body -> body.put("expires_at", soon)));
            forbidden(mia, edit(Types.TOKEN, token.id(), body -> body.put("revoked", true)));
            forbidden(mia, new Operation.Put(key, ended));
            forbidden(mia, new Operation.Replace(key, ended, Expected.ANY));
            forbidden(mia, label, new Operation.Put(key, ended));
            assertThatThrownBy(() -> tokens.rotate(mia, token, Duration.ZERO))
                    .hasMessageContaining("needs delete on token");
            as(mia, label);
        }
        assertThat(tokens.holder(child)).isPresent();
        tokens.rotate(caller(Actor.Kind.PERSON, "kim"), robot, Duration.ZERO);
        assertThat(tokens.holder(child)).isEmpty();
        // Callers can always revoke their own tokens.
        TokenText own = tokens.make(TestTokens.ROOT, "person", "mia");
        as(mia, edit(Types.TOKEN, own.id(), body -> body.put("expires_at", soon)));
    }

    @Test
    void whoHoldsARightForATimeGivesItForNoLonger() {
        String end = "{\"expires_at\": \"2026-01-02T00:00:00Z\"}";
        grant("gtemp", "person:tim", "platform-admin", "{\"fleet\": true}", end);
        grant("gpart", "person:pia", "workspace-admin", "{\"workspace\": \"payments\"}", end);
        for (String name : List.of("tim", "pia")) {
            Caller caller = caller(Actor.Kind.PERSON, name);
            String scope = "{\"workspace\": \"payments\"}";
            forbidden(caller, granting("g" + name + "1", "person:x", "workspace-admin", scope, "{}"));
            forbidden(
                    caller,
                    granting(
                            "g" + name + "2",
                            "person:x",
                            "workspace-admin",
                            scope,
                            "{\"expires_at\": \"2026-01-02T00:00:01Z\"}"));
            as(caller, granting("g" + name + "3", "person:x", "workspace-admin", scope, end));
            forbidden(
                    caller,
                    edit(Types.ACCESS_GRANT, "g" + name + "3", body -> body.put("expires_at", "2026-01-03T00:00:00Z")));
            forbidden(caller, edit(Types.ACCESS_GRANT, "g" + name + "3", body -> body.without("expires_at")));
        }
        Caller tim = caller(Actor.Kind.PERSON, "tim");
        String token =
                "{\"kind\": \"person\", \"subject\": \"tim\", \"access\": \"admin\", \"hash\": \"" + "0".repeat(64);
        forbidden(tim, creation(Types.TOKEN, "t1", token + "\"}"));
        as(tim, creation(Types.TOKEN, "t2", token + "\", \"expires_at\": \"2026-01-02T00:00:00Z\"}"));
        forbidden(
                tim,
                creation(Types.ACCESS_ROLE, "mine", "{\"permissions\": [{\"verbs\": [\"*\"], \"types\": [\"*\"]}]}"));
    }

    /** F8: one edit with an end in the past emptied an unprotected cluster without a confirmation. */
    @Test
    void anEndOfAClusterThatPolledIsConfirmed() {
        for (Instant at : List.of(fleet.now.minusSeconds(60), fleet.now, fleet.now.plus(Duration.ofDays(30)))) {
            assertThatThrownBy(() -> fleet.write(end("d1", at)))
                    .isInstanceOfSatisfying(ConfirmationRequired.class, e -> {
                        assertThat(e.plan().guards()).singleElement().asString().contains("when cluster/d1 expires");
                        assertThat(e.plan().later()).hasSize(1);
                        assertThat(e.plan().later().getFirst().groups()).isNotEmpty();
                    });
        }
        assertThatThrownBy(() -> fleet.write(creation(
                        Types.CLUSTER,
                        "p2",
                        "{\"cluster_name\": \"p2\", \"cluster_dns\": \"p2.example.com\", \"environment\": \"prod\","
                                + " \"owner\": \"x\", \"expires_at\": \"2026-02-01T00:00:00Z\"}")))
                .isInstanceOf(ConfirmationRequired.class);
        fleet.contact.polled.remove("d1");
        fleet.write(end("d1", fleet.now));
        assertThat(sweep().removed()).containsExactly(new DocumentKey(Types.CLUSTER, "d1"));
        assertThat(ClusterLife.of(fleet.document(Types.CLUSTER_LIFE, "d1")).phase())
                .isEqualTo(ClusterLife.Phase.LEAVING);
    }

    /** Taking protection away enables what it prevented. */
    @Test
    void protectionIsTakenAwayByWhoeverMayDecommission() {
        fleet.write(edit(Types.CLUSTER, "d1", body -> body.put("protected", true)));
        for (Caller caller : List.of(CI, COMPAT)) {
            forbidden(caller, edit(Types.CLUSTER, "p1", body -> body.put("protected", false)));
            forbidden(caller, edit(Types.CLUSTER, "d1", body -> body.put("protected", false)));
            forbidden(caller, edit(Types.CLUSTER, "d1", body -> body.without("protected")));
            forbidden(caller, edit(Types.CLUSTER, "p1", body -> body.put("environment", "dev")));
            as(caller, edit(Types.CLUSTER, "p1", body -> body.put("protected", true)));
            as(WENDY, edit(Types.CLUSTER, "p1", body -> body.without("protected")));
        }
        as(WENDY, edit(Types.CLUSTER, "d1", body -> body.put("protected", false)));
    }

    @Test
    void namesAndKeysOfAClusterAreForItsAdministrators() {
        String alias = "[{\"dns\": \"old.example.com\", \"expires_at\": \"2026-02-01T00:00:00Z\"}]";
        List<Operation> changes = Stream.of(
                        "{\"cluster_dns\": \"other.example.com\"}",
                        "{\"dns_aliases\": " + alias + "}",
                        "{\"event_key\": 2}")
                .map(json -> edit(Types.CLUSTER, "d1", body -> body.setAll(StrictJson.read(json))))
                .toList();
        changes.forEach(change -> forbidden(CI, change));
        forbidden(COMPAT, changes.getLast());
        as(COMPAT, changes.getFirst());
        changes.forEach(change -> as(WENDY, change));
    }

    @Test
    void marksThatGuardDataAreTakenAwayByWhoeverMayDelete() {
        role("tags", "[\"read\", \"update\"]", "[\"@items\"]");
        grant("gtags", "service:tagger", "tags", "{\"fleet\": true}", "{}");
        grant("gotto", "person:otto", "operator", "{\"fleet\": true}", "{}");
        fleet.component("db", "{\"stateful\": true}");
        fleet.create(Types.NAMESPACE, "data", "{\"stateful\": true}");
        Caller tagger = caller(Actor.Kind.SERVICE, "tagger");
        Caller otto = caller(Actor.Kind.PERSON, "otto");
        Operation careless = edit(Types.PLATFORM_COMPONENT, "db", body -> body.put("stateful", false));
        Operation emptied = edit(Types.NAMESPACE, "data", body -> body.put("keep", false));
        forbidden(tagger, careless);
        forbidden(tagger, emptied);
        as(tagger, edit(Types.PLATFORM_COMPONENT, "db", body -> body.put("oci_tag", "v2")));
        as(otto, careless);
        as(otto, emptied);
    }
}
