package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static dev.homeport.support.TestTokens.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Limits;
import dev.homeport.access.Powers;
import dev.homeport.access.Rights;
import dev.homeport.access.SignOuts;
import dev.homeport.access.TokenText;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.FleetTest;
import dev.homeport.support.TestTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens never exceed or outlive what made them. */
class TokenLineageTest extends FleetTest {
    private TestTokens tokens;
    private TokenText first;

    @BeforeEach
    void build() {
        fleet.create(Types.WORKSPACE, "payments", "{}");
        fleet.cluster("pay-dev", "dev", "{\"workspace\": \"payments\"}");
        fleet.cluster("other-dev", "dev", "{}");
        tokens = new TestTokens(fleet);
        first = tokens.make(ROOT, "person", "first", "{\"access\": \"admin\"}");
    }

    private Caller holder(TokenText token) {
        return tokens.holder(token).orElseThrow();
    }

    private TokenText granted(String kind, String name, String role, String scope) {
        tokens.grant(ROOT, name + "-" + role, kind + ":" + name, role, scope);
        return tokens.make(holder(first), kind, name);
    }

    private Powers powers(TokenText token) {
        return Powers.of(fleet.snapshot(), holder(token), fleet.now);
    }

    private boolean mayChange(TokenText token, String cluster) {
        Optional<Document> document = Optional.of(fleet.document(Types.CLUSTER, cluster));
        return powers(token).refusal(Verb.UPDATE, document, document).isEmpty();
    }

    private Instant end(TokenText token) {
        String end = fleet.document(Types.TOKEN, token.id())
                .tree()
                .path("expires_at")
                .stringValue("");
        return end.isEmpty() ? Instant.MAX : Instant.parse(end);
    }

    private Caller signedIn(String name, String session, Duration life) {
        return Caller.vouchedFor(
                new Actor(Actor.Kind.PERSON, name),
                Set.of(),
                new Caller.SignIn(session, fleet.now, fleet.now.plus(life)));
    }

    @Test
    void aTokenDoesNotInheritWhatItsMakerCouldNotGive() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        tokens.grant(holder(cleo), "robot-cleo", "service:robot", "viewer", "{\"cluster\": \"pay-dev\"}");
        TokenText planted = tokens.make(holder(cleo), "service", "robot");
        TokenText honest = tokens.make(holder(first), "service", "robot");
        tokens.grant(ROOT, "robot-admin", "service:robot", "platform-admin", "{\"fleet\": true}");
        assertThat(powers(honest).isPlatformAdmin()).isTrue();
        assertThat(powers(planted).isPlatformAdmin()).isFalse();
        assertThat(powers(planted).sees(fleet.document(Types.CLUSTER, "other-dev")))
                .isFalse();
        assertThat(mayChange(planted, "other-dev")).isFalse();
        assertThat(mayChange(planted, "pay-dev")).as("as its maker could").isTrue();
    }

    @Test
    void ofATokenOfALimitedTokenTheSameLimitsHold() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        TokenText own = tokens.make(holder(cleo), "person", "cleo");
        tokens.grant(ROOT, "cleo-more", "person:cleo", "operator", "{\"fleet\": true}");
        assertThat(mayChange(cleo, "other-dev")).isTrue();
        assertThat(mayChange(own, "other-dev")).isFalse();
        assertThat(mayChange(tokens.make(holder(own), "person", "cleo"), "other-dev"))
                .isFalse();
        assertThat(mayChange(tokens.rotate(holder(own), own, Duration.ofDays(1)), "other-dev"))
                .isFalse();
    }

    @Test
    void rotatingAnothersTokenGivesNoMoreThanBothHold() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        tokens.grant(ROOT, "robot-view", "service:robot", "viewer", "{\"cluster\": \"pay-dev\"}");
        TokenText wide = tokens.make(holder(first), "service", "robot");
        TokenText taken = tokens.rotate(holder(cleo), wide, Duration.ofDays(1));
        TokenText kept = tokens.rotate(holder(wide), wide, Duration.ofDays(1));
        tokens.grant(ROOT, "robot-admin", "service:robot", "platform-admin", "{\"fleet\": true}");
        assertThat(powers(taken).isPlatformAdmin()).isFalse();
        assertThat(powers(kept).isPlatformAdmin()).isTrue();
        tokens.revoke(ROOT, cleo);
        assertThat(tokens.holder(taken)).as("its text is known to cleo").isEmpty();
        assertThat(tokens.holder(kept)).isPresent();
    }

    @Test
    void limitsMeanWhatWasThereThen() {
        TokenText wendy = granted("person", "wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        tokens.grant(holder(wendy), "robot-wendy", "service:robot", "viewer", "{\"workspace\": \"payments\"}");
        TokenText planted = tokens.make(holder(wendy), "service", "robot");
        TokenText rotated = tokens.rotate(holder(planted), planted, Duration.ofDays(9));
        fleet.confirm(edit(Types.CLUSTER, "pay-dev", body -> {
            body.remove("workspace");
            return body;
        }));
        fleet.confirm(delete(Types.WORKSPACE, "payments"));
        fleet.create(Types.WORKSPACE, "payments", "{}");
        tokens.grant(ROOT, "robot-new", "service:robot", "workspace-admin", "{\"workspace\": \"payments\"}");
        for (TokenText token : List.of(planted, rotated)) {
            assertThat(powers(token).sees(fleet.document(Types.WORKSPACE, "payments")))
                    .isFalse();
        }
        TokenText again = tokens.rotate(holder(planted), planted, Duration.ofDays(1));
        assertThat(powers(again).sees(fleet.document(Types.WORKSPACE, "payments")))
                .as("a rotation is no way around it")
                .isFalse();
    }

    @Test
    void aServiceWithoutGrantsGetsTokensFromPlatformAdminsAlone() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        refused(ErrorCode.FORBIDDEN, () -> tokens.make(holder(cleo), "service", "not-yet"));
        tokens.make(holder(first), "service", "not-yet");
    }

    @Test
    void namesOfTrustedIssuersGetNoTokens() {
        Writer knowing = fleet.writer(new Rights(() -> fleet.now, true, name -> name.startsWith("ci:")));
        for (String name : List.of("ci:acme/app:main", "ci-robot")) {
            WriteRequest request = WriteRequest.of(
                    ROOT,
                    "a test",
                    List.of(creation(
                            Types.TOKEN,
                            "t" + name.length(),
                            "{\"kind\": \"service\", \"subject\": \"" + name + "\", \"hash\": \"" + "0a".repeat(32)
                                    + "\"}")));
            if (name.startsWith("ci:")) {
                refused(ErrorCode.CONFLICT, () -> knowing.write(request));
                refused(ErrorCode.CONFLICT, () -> knowing.write(request.with(WriteRequest.Flag.IMPORTED)));
            } else {
                knowing.write(request);
            }
        }
    }

    @Test
    void aTokenWorksUntilItsEndAndNotAtIt() {
        Instant end = fleet.now.plusSeconds(600);
        TokenText token =
                tokens.make(ROOT, "service", "robot", "{\"access\": \"reader\", \"expires_at\": \"" + end + "\"}");
        assertThat(tokens.holder(token, end.minusNanos(1))).isPresent();
        assertThat(tokens.holder(token, end)).isEmpty();
        assertThat(tokens.holder(token, end.plusSeconds(59))).isEmpty();
    }

    @Test
    void childrenEndNoLaterThanTheirParent() {
        Instant end = fleet.now.plusSeconds(600);
        TokenText parent =
                tokens.make(ROOT, "person", "bob", "{\"access\": \"admin\", \"expires_at\": \"" + end + "\"}");
        TokenText child = tokens.make(holder(parent), "person", "eve", "{\"access\": \"admin\"}");
        TokenText grandchild = tokens.make(holder(child), "service", "robot", "{\"access\": \"admin\"}");
        TokenText rotated = tokens.rotate(holder(grandchild), grandchild, Duration.ofDays(1));
        TokenText lasting = tokens.make(ROOT, "service", "lasting");
        TokenText taken = tokens.rotate(holder(parent), lasting, Duration.ofDays(1));
        TokenText join = tokens.make(holder(parent), "join", "pay-dev");
        for (TokenText token : List.of(child, grandchild, rotated, taken, join)) {
            assertThat(end(token)).isEqualTo(end);
            assertThat(tokens.holder(token)).isPresent();
            assertThat(tokens.holder(token, end)).isEmpty();
        }
        refused(
                ErrorCode.INVALID,
                () -> tokens.make(
                        holder(parent),
                        "person",
                        "eve",
                        "{\"access\": \"admin\", \"expires_at\": \"" + end.plusMillis(1) + "\"}"));
        assertThat(end(tokens.make(holder(parent), "cluster", "pay-dev")))
                .as("a cluster's token does not end with the token that provisioned it")
                .isEqualTo(Instant.MAX);
    }

    @Test
    void aRotationKeepsTheEnd() {
        Instant end = fleet.now.plusSeconds(600);
        String until = "{\"expires_at\": \"" + end + "\"}";
        TokenText service = tokens.make(ROOT, "service", "robot", until);
        TokenText cluster = tokens.make(ROOT, "cluster", "pay-dev", until);
        assertThat(end(tokens.rotate(ROOT, service, Duration.ofDays(1)))).isEqualTo(end);
        assertThat(end(tokens.rotate(ROOT, cluster, Duration.ofDays(1)))).isEqualTo(end);
    }

    @Test
    void whatEndsWithATokenIsInThePlanAndNeedsAConfirmation() {
        TokenText parent = tokens.make(holder(first), "person", "bob", "{\"access\": \"admin\"}");
        TokenText child = tokens.make(holder(parent), "service", "robot", "{\"access\": \"admin\"}");
        TokenText grandchild = tokens.make(holder(child), "service", "robot2", "{\"access\": \"admin\"}");
        TokenText cluster = tokens.make(holder(child), "cluster", "pay-dev");
        TokenText beside = tokens.make(holder(first), "person", "eve", "{\"access\": \"admin\"}");
        assertThatThrownBy(() -> fleet.write(delete(Types.TOKEN, parent.id())))
                .isInstanceOfSatisfying(ConfirmationRequired.class, e -> {
                    assertThat(e.plan().guards().toString())
                            .contains("token/" + child.id(), "token/" + grandchild.id());
                    assertThat(e.plan().documents())
                            .extracting(change -> change.key().id())
                            .containsExactlyInAnyOrder(parent.id(), child.id(), grandchild.id());
                });
        tokens.revoke(ROOT, parent);
        assertThat(tokens.holder(child)).isEmpty();
        assertThat(tokens.holder(grandchild)).isEmpty();
        assertThat(tokens.holder(cluster)).isPresent();
        assertThat(tokens.holder(beside)).isPresent();
        assertThat(fleet.snapshot().find(new DocumentKey(Types.TOKEN, grandchild.id())))
                .isEmpty();
    }

    /** They do not end with it, so the plan says what a thief may have made with a stolen token. */
    @Test
    void tokensOfClustersThatARevokedTokenMadeAreListed() {
        TokenText parent = tokens.make(holder(first), "person", "bob", "{\"access\": \"admin\"}");
        TokenText child = tokens.make(holder(parent), "service", "robot", "{\"access\": \"admin\"}");
        TokenText direct = tokens.make(holder(parent), "cluster", "pay-dev");
        TokenText ofChild = tokens.make(holder(child), "cluster", "other-dev");
        TokenText revoked = tokens.make(holder(child), "cluster", "other-dev");
        tokens.revoke(ROOT, revoked);
        tokens.make(holder(first), "cluster", "pay-dev");
        Outcome.Planned planned = (Outcome.Planned) fleet.writer.write(
                WriteRequest.of(ROOT, "", List.of(delete(Types.TOKEN, parent.id())))
                        .with(WriteRequest.Flag.DRY_RUN));
        assertThat(planned.plan().warnings())
                .singleElement()
                .asString()
                .contains("go on working")
                .contains("token/" + direct.id() + " of cluster/pay-dev")
                .contains("token/" + ofChild.id() + " of cluster/other-dev")
                .doesNotContain(revoked.id());
        assertThat(planned.plan().warnings().getFirst().split("token/", -1)).hasSize(3);
        tokens.revoke(ROOT, parent);
        assertThat(tokens.holder(direct)).isPresent();
        assertThat(tokens.holder(ofChild)).isPresent();
    }

    @Test
    void aTokenWithoutItsParentDoesNotWorkHoweverTheParentWent() {
        TokenText parent = tokens.make(ROOT, "person", "bob", "{\"access\": \"admin\"}");
        TokenText child = tokens.make(holder(parent), "service", "robot", "{\"access\": \"admin\"}");
        Instant past = fleet.now.minusSeconds(1);
        fleet.appendBehind(edit(Types.TOKEN, parent.id(), body -> body.put("expires_at", past.toString())));
        fleet.follower.catchUp();
        assertThat(end(child)).as("nothing has touched the child").isEqualTo(Instant.MAX);
        assertThat(tokens.holder(child)).isEmpty();
    }

    @Test
    void aRotatedParentTakesItsChildrenAlongWhenTheOverlapEnds() {
        TokenText parent = tokens.make(ROOT, "person", "bob", "{\"access\": \"admin\"}");
        TokenText child = tokens.make(holder(parent), "service", "robot", "{\"access\": \"admin\"}");
        TokenText next = tokens.rotate(holder(parent), parent, Duration.ofHours(1));
        assertThat(end(child)).isEqualTo(fleet.now.plus(Duration.ofHours(1)));
        fleet.advance(Duration.ofHours(1));
        assertThat(tokens.holder(child)).isEmpty();
        assertThat(tokens.holder(next)).isPresent();
    }

    @Test
    void theSweepTakesEndedTokensAndTheirsWithoutAConfirmation() {
        Instant end = fleet.now.plusSeconds(600);
        TokenText parent =
                tokens.make(ROOT, "person", "bob", "{\"access\": \"admin\", \"expires_at\": \"" + end + "\"}");
        tokens.make(holder(parent), "service", "robot", "{\"access\": \"admin\"}");
        fleet.advance(Duration.ofSeconds(601));
        ExpirySweep sweep = new ExpirySweep(fleet.writer, fleet.store, fleet.contact);
        assertThat(sweep.sweep(fleet.snapshot(), fleet.now).held()).isEmpty();
        assertThat(fleet.snapshot().all(Types.TOKEN).size()).isEqualTo(1);
    }

    @Test
    void aSignInMakesNoTokensUnlessTheFleetAllowsIt() {
        tokens.grant(ROOT, "alice-admin", "person:alice", "platform-admin", "{\"fleet\": true}");
        Duration session = Duration.ofHours(8);
        Caller alice = signedIn("alice", "s1", session);
        refused(ErrorCode.FORBIDDEN, () -> tokens.make(alice, "person", "alice"));
        refused(ErrorCode.FORBIDDEN, () -> tokens.rotate(alice, first, Duration.ZERO));
        assertThat(end(tokens.make(alice, "cluster", "pay-dev"))).isEqualTo(Instant.MAX);
        fleet.settings("{\"tokens\": {\"from_sign_in\": \"session\"}}");
        TokenText short1 = tokens.make(alice, "person", "alice");
        assertThat(end(short1)).isEqualTo(fleet.now.plus(session));
        TokenText child = tokens.make(holder(short1), "person", "alice");
        Caller brief = signedIn("alice", "", Duration.ofMinutes(2));
        assertThat(end(tokens.make(brief, "join", "pay-dev"))).isEqualTo(fleet.now.plusSeconds(120));
        fleet.write(new Operation.Create(
                SignOuts.key("person:alice"),
                SignOuts.ending(
                        Optional.empty(),
                        "person:alice",
                        alice.signIn().orElseThrow(),
                        fleet.now,
                        Duration.ofDays(8))));
        assertThat(tokens.holder(short1)).as("it ends with the session").isEmpty();
        assertThat(tokens.holder(child)).isEmpty();
        fleet.settings("{\"tokens\": {\"from_sign_in\": \"max_lifetime\", \"max_lifetime_hours\": 48}}");
        assertThat(end(tokens.make(signedIn("alice", "s2", session), "person", "alice")))
                .isEqualTo(fleet.now.plus(Duration.ofDays(2)));
    }

    @Test
    void lifetimesAreBounded() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        assertThat(end(cleo)).as("platform admins' have none").isEqualTo(Instant.MAX);
        assertThat(end(tokens.make(holder(cleo), "person", "cleo"))).isEqualTo(fleet.now.plus(Duration.ofDays(90)));
        String late = "{\"expires_at\": \"" + fleet.now.plus(Duration.ofDays(366)) + "\"}";
        refused(ErrorCode.INVALID, () -> tokens.make(holder(cleo), "person", "cleo", late));
        fleet.settings("{\"tokens\": {\"default_lifetime_hours\": 24, \"max_lifetime_hours\": 48}}");
        assertThat(end(tokens.make(ROOT, "person", "bob"))).isEqualTo(fleet.now.plus(Duration.ofDays(1)));
        refused(ErrorCode.INVALID, () -> tokens.make(ROOT, "person", "bob", late));
    }

    @Test
    void aSubjectHasOnlySoManyTokens() {
        fleet.settings("{\"tokens\": {\"max_live_per_subject\": 2}}");
        TokenText one = tokens.make(ROOT, "service", "robot");
        tokens.make(ROOT, "service", "robot", "{\"access\": \"reader\"}");
        refused(ErrorCode.CONFLICT, () -> tokens.make(ROOT, "service", "robot"));
        tokens.make(ROOT, "person", "robot");
        tokens.rotate(ROOT, one, Duration.ofHours(1));
        fleet.advance(Duration.ofHours(2));
        refused(ErrorCode.CONFLICT, () -> tokens.make(ROOT, "service", "robot"));
        tokens.make(ROOT, "cluster", "pay-dev");
        tokens.make(ROOT, "cluster", "pay-dev");
        refused(ErrorCode.CONFLICT, () -> tokens.make(ROOT, "cluster", "pay-dev"));
    }

    @Test
    void aChainOfTokensEndsSomewhere() {
        TokenText last = tokens.make(ROOT, "person", "p0", "{\"access\": \"admin\"}");
        for (int i = 1; i <= 16; i++) {
            last = tokens.make(holder(last), "person", "p" + i, "{\"access\": \"admin\"}");
        }
        TokenText deepest = last;
        assertThat(tokens.holder(deepest)).isPresent();
        refused(ErrorCode.CONFLICT, () -> tokens.make(holder(deepest), "person", "p17", "{\"access\": \"admin\"}"));
    }

    @Test
    void aStoredTokenIsNotLengthenedWidenedOrBroughtBack() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        TokenText token = tokens.make(holder(cleo), "person", "cleo");
        String key = token.id();
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(edit(Types.TOKEN, key, body -> {
                    body.remove("limits");
                    return body;
                })));
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(edit(Types.TOKEN, key, body -> {
                    body.remove("expires_at");
                    return body;
                })));
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(edit(Types.TOKEN, key, body -> body.put("expires_at", "2099-01-01T00:00:00Z"))));
        refused(ErrorCode.CONFLICT, () -> fleet.write(edit(Types.TOKEN, key, body -> body.put("access", "admin"))));
        fleet.write(edit(Types.TOKEN, key, body -> body.put("revoked", true)));
        refused(ErrorCode.CONFLICT, () -> fleet.write(edit(Types.TOKEN, key, body -> body.put("revoked", false))));
        long revoked = fleet.snapshot().revision();
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.writer.write(WriteRequest.of(ROOT, "back", Undoing.commit(fleet.store, revoked))));
    }

    @Test
    void tokensAreImportedByPlatformAdminsAlone() {
        TokenText cleo = granted("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        for (String id : List.of(first.id(), "t0unknown")) {
            Operation operation = creation(
                    Types.TOKEN,
                    id,
                    "{\"kind\": \"person\", \"subject\": \"cleo\", \"hash\": \"" + "0a".repeat(32) + "\"}");
            WriteRequest request =
                    WriteRequest.of(holder(cleo), "a test", List.of(operation)).with(WriteRequest.Flag.IMPORTED);
            assertThatThrownBy(() -> fleet.writer.write(request))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            e -> assertThat(e.getMessage()).isEqualTo("forbidden: person:cleo may not import tokens"));
        }
    }

    @Test
    void anImportedTokenEndsWithTheOneThatBroughtItIn() {
        Instant end = fleet.now.plusSeconds(600);
        TokenText brief =
                tokens.make(ROOT, "person", "bob", "{\"access\": \"admin\", \"expires_at\": \"" + end + "\"}");
        TokenText known = tokens.make(holder(brief), "person", "eve", "{\"access\": \"admin\"}");
        // The same secret under another id, without an end and a parent.
        String hash =
                fleet.document(Types.TOKEN, known.id()).tree().path("hash").stringValue("");
        TokenText copy = new TokenText(known.kind(), "tcopy", known.secret());
        Operation copied = creation(
                Types.TOKEN,
                copy.id(),
                "{\"kind\": \"person\", \"subject\": \"eve\", \"access\": \"admin\", \"hash\": \"" + hash + "\"}");
        fleet.writer.write(
                WriteRequest.of(holder(brief), "a test", List.of(copied)).with(WriteRequest.Flag.IMPORTED));
        assertThat(tokens.holder(copy)).isPresent();
        assertThat(end(copy)).isEqualTo(end);
        tokens.revoke(ROOT, brief);
        assertThat(tokens.holder(copy)).isEmpty();
    }

    @Test
    void aTokenIsRevokedByWhoeverCouldHaveMadeIt() {
        TokenText otto = granted("person", "otto", "operator", "{\"fleet\": true}");
        TokenText olga = granted("person", "olga", "operator", "{\"fleet\": true}");
        TokenText anna = granted("person", "anna", "platform-admin", "{\"fleet\": true}");
        TokenText robot = granted("service", "robot", "platform-admin", "{\"fleet\": true}");
        TokenText reader = tokens.make(ROOT, "person", "rita", "{\"access\": \"reader\"}");
        for (TokenText token : List.of(first, anna, robot, reader)) {
            refused(ErrorCode.FORBIDDEN, () -> tokens.revoke(holder(otto), token));
        }
        tokens.revoke(holder(otto), olga);
        tokens.revoke(holder(anna), robot);
        tokens.revoke(holder(otto), otto);
        assertThat(tokens.holder(otto)).isEmpty();
    }

    @Test
    void aGrantShowsWhoCanUseItAndOldTokensAskForAConfirmation() {
        TokenText robot = tokens.make(holder(first), "service", "robot");
        fleet.appendBehind(edit(Types.TOKEN, robot.id(), body -> {
            body.remove("made_by");
            body.remove("parent");
            return body;
        }));
        fleet.follower.catchUp();
        TokenText newer = tokens.make(holder(first), "service", "robot");
        Operation grant = new Operation.Create(
                new DocumentKey(Types.ACCESS_GRANT, "robot-admin"),
                StrictJson.read(
                        "{\"subject\": \"service:robot\", \"role\": \"viewer\", \"scope\": {\"fleet\": true}}"));
        assertThatThrownBy(() -> fleet.writer.write(WriteRequest.of(ROOT, "a test", List.of(grant))))
                .isInstanceOfSatisfying(ConfirmationRequired.class, e -> {
                    assertThat(e.plan().guards()).hasSize(1);
                    assertThat(e.plan().guards().getFirst()).contains("token/" + robot.id(), "person:first");
                    assertThat(e.plan().warnings().toString())
                            .contains("token/" + robot.id(), "token/" + newer.id(), "person:first");
                });
        tokens.write(ROOT, grant);
    }

    @Test
    void theLastAdminIsNotALimitedToken() {
        assertThat(Limits.NONE.isUnlimited()).isTrue();
        TokenText anna = granted("person", "anna", "platform-admin", "{\"fleet\": true}");
        refused(ErrorCode.CONFLICT, () -> fleet.confirm(delete(Types.TOKEN, first.id())));
        assertThat(powers(anna).isPlatformAdmin()).isTrue();
        TokenText own = tokens.make(ROOT, "person", "anna");
        fleet.confirm(delete(Types.TOKEN, first.id()));
        assertThat(powers(own).isPlatformAdmin()).isTrue();
    }
}
