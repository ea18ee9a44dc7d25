package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.fleet.Item;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which sets look at what. */
class WitnessPlanTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:30Z");
    private static final WitnessQuestion NAMESPACES = WitnessQuestion.type("namespaces");
    private static final WitnessQuestion PODINFO = WitnessQuestion.component("podinfo", "HelmRelease");
    private static final List<WitnessQuestion> BOTH = List.of(NAMESPACES, PODINFO);
    private static final Wanted WANTED = new Wanted(
            "answer", new TreeMap<>(java.util.Map.of("podinfo", new Wanted.Part("item", "1.0.0", "HelmRelease"))));

    private Instant now = NOON;
    private long store = 1;
    private final List<Witness> known = new ArrayList<>();
    private final List<Report> reports = new ArrayList<>();

    private static String value(String ready, String revision, String item) {
        return Base64.getEncoder()
                .encodeToString(String.join("\n", "HelmRelease", ready, "Why", revision, "", item, "", "")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void said(WitnessQuestion question, String value, Instant at) {
        known.removeIf(witness -> witness.id().equals(question.id()));
        known.add(new Witness("c1", question.id(), value, at, 1, at + value, at));
    }

    private void settled() {
        said(NAMESPACES, value("True", "", ""), NOON);
        said(PODINFO, value("True", "1.0.0+f1", "item"), NOON);
    }

    private void reported(String subject, Verdict verdict, Instant at) {
        reports.add(new Report("c1", subject, "o", verdict, at, 1, "b" + at, "", "", "", "", "", at));
    }

    private List<JsonNode> sets(List<WitnessQuestion> questions) {
        WitnessPlan plan = new WitnessPlan("c1", known, reports, WANTED, store, Duration.ofMinutes(1), now);
        return plan.items(questions).stream()
                .map(Item::setBytes)
                .<JsonNode>map(StrictJson::read)
                .toList();
    }

    private static List<String> names(List<JsonNode> sets) {
        return sets.stream().map(set -> set.path("id").asString("")).toList();
    }

    private static boolean asksAtOnce(JsonNode set) {
        return !set.at("/observe/0/expression").asString("").contains("x == '");
    }

    @Test
    void aClusterThatNeverAnsweredIsAskedOneThing() {
        assertThat(sets(BOTH)).hasSize(1);
        known.add(unreadable(NOON));
        assertThat(sets(BOTH)).hasSize(1);
        said(NAMESPACES, value("True", "", ""), NOON);
        assertThat(sets(BOTH)).hasSize(2);
    }

    @Test
    void whatIsAsWantedSharesOneSet() {
        settled();
        List<JsonNode> sets = sets(BOTH);
        assertThat(sets).hasSize(1);
        assertThat(sets.getFirst().path("observe")).hasSize(2);
        assertThat(sets.getFirst().path("every").asString("")).isEqualTo("60s");
        assertThat(sets.getFirst().at("/observe/0/name").asString("")).isEqualTo("homeport-namespaces");
        assertThat(sets.getFirst().at("/observe/1/component").asString("")).isEqualTo("podinfo");
    }

    @Test
    void factsShareTheSetOnceTheyAreKnown() {
        settled();
        List<WitnessQuestion> questions = List.of(NAMESPACES, PODINFO, WitnessQuestion.facts());
        assertThat(sets(questions)).hasSize(2);
        said(WitnessQuestion.facts(), value("v1.34.1", "", ""), NOON);
        List<JsonNode> sets = sets(questions);
        assertThat(sets).hasSize(1);
        assertThat(sets.getFirst().at("/observe/2/kind").asString("")).isEqualTo("FluxReport");
        assertThat(sets.getFirst().at("/observe/2/name").asString("")).isEqualTo("flux");
        said(WitnessQuestion.facts(), Witness.ABSENT, NOON);
        assertThat(sets(questions)).hasSize(2);
    }

    @Test
    void eachProbeHasASetOfItsOwn() {
        settled();
        WitnessQuestion one = WitnessQuestion.probe(probe("one", "d1"));
        WitnessQuestion two = WitnessQuestion.probe(probe("two", "d2"));
        List<WitnessQuestion> questions = List.of(NAMESPACES, one, PODINFO, two);
        List<JsonNode> unknown = sets(questions);
        assertThat(unknown).hasSize(3);
        assertThat(asksAtOnce(unknown.get(1))).isTrue();
        said(one, encoded("ConfigMap", "d1", "bool", "true"), NOON);
        said(two, encoded("ConfigMap", "another", "bool", "true"), NOON);
        List<JsonNode> known = sets(questions);
        assertThat(known).hasSize(3);
        assertThat(asksAtOnce(known.get(1))).isFalse();
        assertThat(asksAtOnce(known.get(2))).as("an answer to another question").isTrue();
        said(one, Witness.ABSENT, NOON);
        String first = names(sets(questions)).get(1);
        now = NOON.plus(WitnessPlan.SOON_AGAIN);
        assertThat(names(sets(questions)).get(1)).isNotEqualTo(first);
        assertThat(names(sets(List.of(NAMESPACES, PODINFO))))
                .as("without probes the others stay")
                .isEqualTo(names(sets(questions)).subList(0, 1));
    }

    private static Probe probe(String id, String digest) {
        return new Probe(id, "", "v1", "ConfigMap", "a", "default", "true", digest, false, "warning", NOON);
    }

    private static String encoded(String... fields) {
        return Base64.getEncoder().encodeToString(String.join("\n", fields).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsNotAsWantedHasASetOfItsOwn() {
        settled();
        for (String other :
                List.of(value("False", "1.0.0", "item"), value("True", "0.9.0", "item"), value("True", "1.0.0", "x"))) {
            said(PODINFO, other, NOON);
            List<JsonNode> sets = sets(BOTH);
            assertThat(sets).hasSize(2);
            assertThat(sets.getFirst().at("/observe/0/expression").asString("")).contains("x == '" + other + "'");
        }
    }

    @Test
    void aFailureReportedLaterMakesTheClusterLookAgain() {
        settled();
        reported("component/podinfo", Verdict.HEALTHY, NOON.plusSeconds(5));
        assertThat(sets(BOTH)).hasSize(1);
        reported("component/podinfo", Verdict.FAILED, NOON.plusSeconds(10));
        List<JsonNode> first = sets(BOTH);
        assertThat(first).hasSize(2);
        assertThat(asksAtOnce(first.getFirst())).isTrue();
        assertThat(names(sets(BOTH))).isEqualTo(names(first));
        said(PODINFO, value("True", "1.0.0+f1", "item"), NOON.plusSeconds(20));
        assertThat(sets(BOTH)).hasSize(1);
        reported("component/podinfo", Verdict.FAILED, NOON.plusSeconds(30));
        assertThat(names(sets(BOTH)).getFirst()).isNotEqualTo(names(first).getFirst());
    }

    @Test
    void anObjectThatAppearsIsLookedAtAgain() {
        settled();
        said(PODINFO, Witness.ABSENT, NOON);
        List<JsonNode> absent = sets(BOTH);
        assertThat(asksAtOnce(absent.getFirst())).isTrue();
        said(PODINFO, Witness.ABSENT, NOON.plusSeconds(2));
        assertThat(names(sets(BOTH))).isEqualTo(names(absent));
        reported("component/podinfo", Verdict.APPLIED, NOON.plusSeconds(5));
        assertThat(names(sets(BOTH)).getFirst()).isNotEqualTo(names(absent).getFirst());
    }

    /** Flux drops an event that it has sent a moment ago, and a set that waits sends none. */
    @Test
    void theSameValueLaterIsAnotherSet() {
        settled();
        List<String> first = names(sets(BOTH));
        said(PODINFO, value("False", "1.0.0+f1", "item"), NOON.plusSeconds(5));
        List<String> failing = names(sets(BOTH));
        said(PODINFO, value("True", "1.0.0+f1", "item"), NOON.plusSeconds(10));
        assertThat(names(sets(BOTH))).doesNotContainAnyElementsOf(first).doesNotContainAnyElementsOf(failing);
    }

    @Test
    void aReportThatWasLostIsAskedForAgain() {
        List<String> asked = names(sets(BOTH));
        now = NOON.plus(WitnessPlan.AGAIN);
        assertThat(names(sets(BOTH))).isNotEqualTo(asked);
        settled();
        now = NOON;
        List<String> shared = names(sets(BOTH));
        now = NOON.plus(WitnessPlan.AGAIN.dividedBy(600));
        assertThat(names(sets(BOTH))).isEqualTo(shared);
        now = NOON.plus(WitnessPlan.SHARED_AGAIN);
        assertThat(names(sets(BOTH))).isNotEqualTo(shared);
    }

    /** A set that met an error waits, and reports nothing more: it is replaced, but not again and again. */
    @Test
    void anAnswerThatCannotBeReadIsAskedForAgain() {
        settled();
        List<String> before = names(sets(BOTH));
        known.add(unreadable(NOON));
        List<String> after = names(sets(BOTH));
        assertThat(after).isNotEqualTo(before);
        known.removeLast();
        known.add(unreadable(NOON.plusSeconds(1)));
        assertThat(names(sets(BOTH))).isEqualTo(after);
    }

    private static Witness unreadable(Instant at) {
        return new Witness("c1", Witness.OF_UNREADABLE, Witness.UNREADABLE, at, 1, "u" + at, at);
    }

    @Test
    void anotherObservedStoreAsksAgain() {
        List<String> asked = names(sets(BOTH));
        store = 2;
        assertThat(names(sets(BOTH))).isNotEqualTo(asked);
    }

    @Test
    void timeAloneChangesAnAnswerOnlyWithItsPeriod() {
        settled();
        said(PODINFO, Witness.ABSENT, NOON);
        for (int seconds = 0; seconds < 7_200; seconds += 7) {
            Instant before = NOON.plusSeconds(seconds);
            Instant after = before.plusSeconds(7);
            now = before;
            List<String> first = names(sets(BOTH));
            now = after;
            if (WitnessAnswer.period("c1", before) == WitnessAnswer.period("c1", after)) {
                assertThat(names(sets(BOTH))).isEqualTo(first);
            }
        }
    }

    @Test
    void aBigClusterIsAskedInPortions() {
        settled();
        List<WitnessQuestion> many = new ArrayList<>(BOTH);
        IntStream.range(0, 200).forEach(i -> many.add(WitnessQuestion.component("c" + i, "Kustomization")));
        assertThat(sets(many)).hasSize(WitnessPlan.MOST_SINGLE + 1);
    }

    /** Namespaces that are kept are watched for good. */
    @Test
    void whatIsKnownToStayDoesNotKeepTheRestFromBeingAsked() {
        settled();
        List<WitnessQuestion> many = new ArrayList<>(BOTH);
        for (int i = 0; i < 2 * WitnessPlan.MOST_SINGLE; i++) {
            WitnessQuestion kept = WitnessQuestion.there("removal/namespaces/" + i, "v1", "Namespace", "-", "n" + i);
            many.add(kept);
            said(kept, value("", "", ""), NOON);
        }
        WitnessQuestion goes = WitnessQuestion.there("removal/namespaces/goes", "v1", "Namespace", "-", "goes");
        many.add(goes);
        List<JsonNode> sets = sets(many);
        assertThat(sets).hasSize(WitnessPlan.MOST_SINGLE + 1);
        assertThat(sets)
                .as("in a set of its own")
                .anyMatch(set -> set.path("observe").size() == 1
                        && set.at("/observe/0/question").asString("").equals(goes.id()));
        assertThat(sets.getLast().path("observe")).as("the others share one").hasSize(2 + WitnessPlan.MOST_SINGLE + 1);
    }

    @Test
    void whatShouldDisappearIsWatchedByItself() {
        settled();
        WitnessQuestion leaving = WitnessQuestion.leavingComponent("podinfo", "HelmRelease");
        assertThat(sets(List.of(NAMESPACES, leaving))).hasSize(2);
        WitnessQuestion gone = WitnessQuestion.there("removed/namespace/a", "v1", "Namespace", "-", "a");
        JsonNode set = sets(List.of(NAMESPACES, gone)).getFirst();
        assertThat(set.at("/observe/0/namespace").asString("?")).isEmpty();
        assertThat(set.at("/observe/0/expression").asString("")).doesNotContain("status");
    }
}
