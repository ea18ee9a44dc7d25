package dev.homeport.store;

import static dev.homeport.observe.PollLog.From.EVERYBODY;
import static dev.homeport.observe.PollLog.From.OTHERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Head;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.HeardDay;
import dev.homeport.observe.Observations;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollBatch;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.Refusal;
import dev.homeport.observe.Report;
import dev.homeport.observe.Stranger;
import dev.homeport.observe.TokenUse;
import dev.homeport.observe.Verdict;
import dev.homeport.observe.Witness;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link PollLog} and {@link Observations}. */
abstract class ObservedContract {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final LocalDate DAY = LocalDate.parse("2026-05-01");
    private static final Head HEAD = new Head("store-1", 1, 7, "hash-7");

    private Observations log;

    abstract Observations open(Opening.Mode mode);

    static String newName() {
        return UUID.randomUUID().toString();
    }

    @BeforeEach
    void open() {
        log = open(Opening.Mode.WRITER);
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void whatWasSavedIsThereAfterAReopening() {
        ObservedPoll poll = poll("c1", NOON);
        log.save(new PollBatch(List.of(poll), Set.of("c1"), HEAD));
        log.close();
        log = open(Opening.Mode.WRITER);
        assertThat(log.since(NOON, EVERYBODY)).containsExactly(poll);
        assertThat(log.since(NOON.plusSeconds(1), EVERYBODY)).isEmpty();
        assertThat(log.wasServed("c1")).isTrue();
        assertThat(log.wasServed("c2")).isFalse();
        assertThat(log.highest()).contains(HEAD);
    }

    @Test
    void theNewerRecordStaysWhoeverComesLast() {
        try (PollLog other = open(Opening.Mode.FOLLOWER)) {
            ObservedPoll newer = poll("c1", NOON.plusSeconds(2));
            other.save(new PollBatch(List.of(newer), Set.of(), HEAD));
            log.save(new PollBatch(List.of(poll("c1", NOON)), Set.of(), HEAD));
            assertThat(log.since(Instant.EPOCH, EVERYBODY)).containsExactly(newer);
        }
    }

    @Test
    void nobodyReadsAgainWhatHeSavedHimself() {
        try (Observations other = open(Opening.Mode.FOLLOWER)) {
            log.save(batch(poll("mine", NOON)));
            log.save(uses(new TokenUse("mine", NOON)));
            log.saveReports(List.of(report(NOON, 7, "a")));
            other.save(batch(poll("theirs", NOON)));
            assertThat(log.since(NOON, OTHERS))
                    .extracting(ObservedPoll::cluster)
                    .containsExactly("theirs");
            assertThat(other.since(NOON, OTHERS))
                    .extracting(ObservedPoll::cluster)
                    .containsExactly("mine");
            assertThat(log.tokensUsedSince(NOON, OTHERS)).isEmpty();
            assertThat(other.tokensUsedSince(NOON, OTHERS)).hasSize(1);
            assertThat(log.reportsSince(NOON, OTHERS)).isEmpty();
            assertThat(other.reportsSince(Instant.EPOCH, OTHERS)).hasSize(1);

            other.save(batch(poll("mine", NOON.plusSeconds(1))));
            assertThat(log.since(NOON, OTHERS)).hasSize(2);
            assertThat(other.since(NOON, OTHERS)).isEmpty();
        }
        log.close();
        log = open(Opening.Mode.WRITER);
        assertThat(log.since(NOON, OTHERS))
                .as("a server that starts knows nothing yet")
                .hasSize(2);
    }

    @Test
    void slotsOfFiveMinutesAddUpOverProcessesAndDays() {
        try (PollLog other = open(Opening.Mode.FOLLOWER)) {
            log.save(batch(poll("c1", Instant.parse("2026-05-01T00:00:00Z"))));
            other.save(batch(poll("c1", Instant.parse("2026-05-01T23:59:59Z"))));
            log.save(batch(poll("c1", NOON), poll("c1", "namespaces", NOON.plusSeconds(300))));
            log.save(batch(poll("c1", Instant.parse("2026-05-02T05:19:59Z"))));
        }
        List<HeardDay> days = log.heard("c1", DAY);
        assertThat(days).extracting(HeardDay::day).containsExactly(DAY, DAY.plusDays(1));
        assertThat(days.getFirst().slots().stream()).containsExactly(0, 144, 145, 287);
        assertThat(days.getLast().slots().stream()).containsExactly(63);
        assertThat(log.heard("c1", DAY.plusDays(1))).hasSize(1);
        assertThat(log.heard("c2", DAY)).isEmpty();
    }

    @Test
    void pruningForgetsDaysAndKeepsTheLastPoll() {
        log.save(new PollBatch(List.of(poll("c1", NOON)), Set.of("c1"), HEAD));
        log.prune(DAY);
        assertThat(log.heard("c1", DAY)).hasSize(1);
        log.prune(DAY.plusDays(1));
        assertThat(log.heard("c1", DAY)).isEmpty();
        assertThat(log.since(Instant.EPOCH, EVERYBODY)).hasSize(1);
        assertThat(log.wasServed("c1")).isTrue();
    }

    @Test
    void theHighestHeadGoesUpUntilALowerOneIsAccepted() {
        assertThat(log.highest()).isEmpty();
        Head lower = new Head("store-1", 1, 5, "hash-5");
        Head restored = new Head("store-1", 2, 3, "hash-3");
        log.save(new PollBatch(List.of(), Set.of(), HEAD));
        log.save(new PollBatch(List.of(), Set.of(), lower));
        assertThat(log.highest()).contains(HEAD);
        log.accept(lower);
        assertThat(log.highest()).contains(lower);
        log.save(new PollBatch(List.of(), Set.of(), restored));
        log.save(new PollBatch(List.of(), Set.of(), HEAD));
        assertThat(log.highest()).contains(restored);
        Head another = new Head("store-2", 1, 1, "hash-1");
        log.save(new PollBatch(List.of(), Set.of(), another));
        assertThat(log.highest()).contains(another);
    }

    @Test
    void fourProcessesSaveTheSameClustersAtTheSameTime() throws Exception {
        List<PollLog> logs = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> done = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                PollLog mine = open(Opening.Mode.FOLLOWER);
                logs.add(mine);
                int offset = writer;
                done.add(threads.submit(() -> {
                    for (int round = 0; round < 20; round++) {
                        Instant at = NOON.plusSeconds(round * 4L + offset);
                        mine.save(new PollBatch(
                                IntStream.range(0, 200)
                                        .mapToObj(i -> poll("c" + (i + offset * 50) % 200, at))
                                        .toList(),
                                Set.of("shared", "own-" + offset),
                                HEAD));
                    }
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
        } finally {
            logs.forEach(PollLog::close);
        }
        assertThat(log.since(Instant.EPOCH, EVERYBODY))
                .hasSize(200)
                .allMatch(poll -> poll.at().equals(NOON.plusSeconds(79)));
    }

    @Test
    void anAnswerGivenAgainKeepsTheTimeOfTheFirst() {
        log.save(batch(poll("c1", NOON)));
        log.save(batch(poll("c1", NOON.plusSeconds(60))));
        assertThat(log.since(Instant.EPOCH, EVERYBODY).getFirst().since()).isEqualTo(NOON);
        assertThat(log.since(Instant.EPOCH, EVERYBODY).getFirst().at()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void theNewerReportStaysWhicheverServerIsLast() {
        Report older = report(NOON, 7, "a");
        Report newer = report(NOON, 8, "b");
        Report failed = report(Verdict.FAILED, NOON.minusSeconds(1), 6, "c");
        try (Observations other = open(Opening.Mode.FOLLOWER)) {
            other.saveReports(List.of(newer, failed));
            log.saveReports(List.of(older));
            log.saveReports(List.of(newer));
        }
        assertThat(log.reportsSince(Instant.EPOCH, EVERYBODY)).containsExactlyInAnyOrder(newer, failed);
        assertThat(log.reportsSince(newer.receivedAt().plusSeconds(1), EVERYBODY))
                .isEmpty();
        log.close();
        log = open(Opening.Mode.WRITER);
        assertThat(log.reportsSince(Instant.EPOCH, EVERYBODY)).hasSize(2);
        log.forget(Instant.EPOCH, List.of("c1"));
        assertThat(log.reportsSince(Instant.EPOCH, EVERYBODY)).isEmpty();
    }

    @Test
    void theNewerWitnessStaysWhicheverServerIsLast() {
        Witness older = witness("type/namespaces", NOON, 7, "b");
        Witness newer = witness("type/namespaces", NOON, 8, "a");
        Witness another = witness("component/podinfo", NOON, 1, "c");
        try (Observations other = open(Opening.Mode.FOLLOWER)) {
            other.saveWitnesses(List.of(newer, another));
            log.saveWitnesses(List.of(older));
            assertThat(other.witnessesSince(Instant.EPOCH, OTHERS)).isEmpty();
        }
        assertThat(log.witnessesSince(Instant.EPOCH, OTHERS)).containsExactlyInAnyOrder(newer, another);
        assertThat(log.witnessesSince(newer.receivedAt().plusSeconds(1), EVERYBODY))
                .isEmpty();
        log.close();
        log = open(Opening.Mode.WRITER);
        assertThat(log.witnessesSince(Instant.EPOCH, EVERYBODY)).hasSize(2);
        log.forget(Instant.EPOCH, List.of("c1"));
        assertThat(log.witnessesSince(Instant.EPOCH, EVERYBODY)).isEmpty();
    }

    private static Witness witness(String question, Instant at, long version, String body) {
        return new Witness("c1", question, "VHJ1ZQ==", at, version, body, at.plusSeconds(1));
    }

    @Test
    void strangersAddUpAndAreForgotten() {
        log.saveStrangers(List.of(stranger("lost", NOON, 2)));
        try (Observations other = open(Opening.Mode.FOLLOWER)) {
            other.saveStrangers(List.of(stranger("lost", NOON.minusSeconds(5), 3), stranger("found", NOON, 1)));
        }
        assertThat(log.strangersSince(NOON, 10)).extracting(Stranger::name).containsExactly("found", "lost");
        assertThat(log.strangersSince(NOON, 10)).extracting(Stranger::count).containsExactly(1L, 5L);
        assertThat(log.strangersSince(NOON, 1)).hasSize(1);
        log.forget(NOON.plusSeconds(1), List.of());
        assertThat(log.strangersSince(Instant.EPOCH, 10)).isEmpty();
        log.saveStrangers(IntStream.range(0, 10_050)
                .mapToObj(i -> stranger("s" + i, NOON.plusSeconds(i), 1))
                .toList());
        log.forget(NOON, List.of());
        assertThat(log.strangersSince(Instant.EPOCH, 20_000)).hasSizeBetween(10_000, 10_001);
    }

    private static Stranger stranger(String name, Instant at, long count) {
        return new Stranger(name, "192.0.2.1", "poll for an unknown name", at, at, count);
    }

    private static Report report(Instant at, long version, String body) {
        return report(Verdict.HEALTHY, at, version, body);
    }

    private static Report report(Verdict verdict, Instant at, long version, String body) {
        return new Report(
                "c1",
                "component/podinfo",
                "HelmRelease/flux-system/c-podinfo",
                verdict,
                at,
                version,
                body,
                "1.0.0",
                "answer",
                "item",
                "InstallSucceeded",
                "it\n'works'",
                at.plusSeconds(1));
    }

    @Test
    void theLastUseOfATokenIsTheNewestThatAnybodySaw() {
        log.save(uses(new TokenUse("t1", NOON.plusSeconds(5)), new TokenUse("t2", NOON)));
        log.save(uses(new TokenUse("t1", NOON)));
        assertThat(log.tokensUsedSince(NOON, EVERYBODY))
                .containsExactlyInAnyOrder(new TokenUse("t1", NOON.plusSeconds(5)), new TokenUse("t2", NOON));
        assertThat(log.tokensUsedSince(NOON.plusSeconds(1), EVERYBODY)).hasSize(1);
    }

    @Test
    void refusalsAreKeptNewestFirstAndStrangersPushOutNobody() {
        Refusal known = refusal(NOON, 403);
        log.save(refusals(List.of(known)));
        log.save(refusals(List.of(known)));
        assertThat(log.refusalsSince(NOON, 10)).containsExactly(known);
        assertThat(log.refusalsSince(NOON.plusSeconds(1), 10)).isEmpty();
        log.save(refusals(IntStream.range(1, 1500)
                .mapToObj(i -> refusal(NOON.plusSeconds(i), 401))
                .toList()));
        List<Refusal> kept = log.refusalsSince(Instant.EPOCH, 5000);
        assertThat(kept).hasSize(1001).last().isEqualTo(known);
        assertThat(kept.getFirst().at()).isEqualTo(NOON.plusSeconds(1499));
        log.save(refusals(IntStream.range(2000, 13_000)
                .mapToObj(i -> refusal(NOON.plusSeconds(i), 409))
                .toList()));
        assertThat(log.refusalsSince(Instant.EPOCH, 20_000)).hasSize(10_000);
    }

    @Test
    void aKnownCallerWhoIsAnsweredLikeAStrangerIsNotPushedOutByStrangers() {
        Refusal known = refusal(NOON, "service:reader", 401);
        log.save(refusals(List.of(known)));
        log.save(refusals(IntStream.range(1, 1500)
                .mapToObj(i -> refusal(NOON.plusSeconds(i), 401))
                .toList()));
        assertThat(log.refusalsSince(Instant.EPOCH, 5000)).hasSize(1001).last().isEqualTo(known);
    }

    @Test
    void howOftenAClusterPollsIsKeptBesideItsClient() {
        List<ObservedPoll> polls = Stream.of("", "1m", "~61000ms")
                .map(every -> new ObservedPoll(
                        "c-" + every.length(),
                        "namespaces",
                        NOON,
                        NOON,
                        200,
                        "digest",
                        7,
                        "set",
                        every.length() > 2 ? "" : "flux-operator/0.1",
                        "127.0.0.1",
                        every))
                .toList();
        log.save(batch(polls.toArray(ObservedPoll[]::new)));
        assertThat(log.since(Instant.EPOCH, EVERYBODY)).containsExactlyInAnyOrderElementsOf(polls);
    }

    @Test
    void theLastAnswerThatWasGivenStaysWhateverPollsAreRefusedLater() {
        log.save(given(answer("c1", "a".repeat(32), NOON, "x =kept"), answer("c2", "b".repeat(32), NOON, "")));
        log.save(given(answer("c1", "c".repeat(32), NOON.plusSeconds(5), "x")));
        log.save(given(answer("c1", "d".repeat(32), NOON.plusSeconds(3), "late")));
        GivenAnswer first = log.given("c1").getFirst();
        assertThat(first.digest()).isEqualTo("c".repeat(32));
        assertThat(first.items().orElseThrow().removed()).containsExactly("x");
        assertThat(first.begun()).isEqualTo(NOON);
        assertThat(first.earlier()).containsExactly("a".repeat(12));
        assertThat(first.was("a".repeat(32))).isTrue();
        assertThat(first.was("e".repeat(32))).isFalse();
        assertThat(log.given()).extracting(GivenAnswer::cluster).containsExactly("c1", "c2");
        assertThat(log.given("c2").getFirst().items().orElseThrow().removed()).isEmpty();
        assertThat(log.given("c3")).isEmpty();
    }

    @Test
    void ofManyAnswersTheLatestDigestsAreRemembered() {
        List<GivenAnswer> many = IntStream.range(0, 100)
                .mapToObj(i -> answer("c1", String.format("%032d", i), NOON.plusSeconds(i), ""))
                .toList();
        log.save(given(many.toArray(GivenAnswer[]::new)));
        GivenAnswer last = log.given("c1").getFirst();
        assertThat(last.digest()).endsWith("99");
        assertThat(last.earlier()).hasSize(32);
    }

    @Test
    void whatABackupHasIsTakenWhereNothingBetterIsKnown() {
        log.save(given(
                answer("c1", "b".repeat(32), NOON.plusSeconds(5), "here"), answer("c2", "s".repeat(32), NOON, "")));
        log.restoreGiven(List.of(
                restored("c1", "a".repeat(32), NOON),
                restored("c2", "s".repeat(32), NOON),
                restored("c3", "a".repeat(32), NOON)));
        assertThat(log.given("c1").getFirst().items().orElseThrow().removed()).containsExactly("here");
        assertThat(log.given("c2").getFirst().fromBackup())
                .as("it was seen here too")
                .isFalse();
        assertThat(log.given("c3").getFirst().fromBackup()).isTrue();
        assertThat(log.wasServed("c3")).isTrue();
        log.save(given(answer("c3", "a".repeat(32), NOON.plusSeconds(9), "x")));
        assertThat(log.given("c3").getFirst().fromBackup()).isFalse();
    }

    private static GivenAnswer answer(String cluster, String digest, Instant at, String items) {
        return GivenAnswer.now(cluster, "namespaces", "set", digest, at, Optional.of(GivenAnswer.Items.parse(items)));
    }

    private static GivenAnswer restored(String cluster, String digest, Instant at) {
        return new GivenAnswer(cluster, "namespaces", "set", digest, at, at, Optional.empty(), List.of(), true);
    }

    private static PollBatch given(GivenAnswer... answers) {
        return new PollBatch(List.of(), Set.of(), Set.of(), List.of(answers), List.of(), List.of(), HEAD);
    }

    private static Refusal refusal(Instant at, int status) {
        return refusal(at, status == 401 ? "" : "person:alice", status);
    }

    private static Refusal refusal(Instant at, String actor, int status) {
        return new Refusal(at, "r1", actor, "127.0.0.1", "POST", "/x", status, "code", "detail");
    }

    private static PollBatch refusals(List<Refusal> refusals) {
        return new PollBatch(List.of(), Set.of(), Set.of(), List.of(), List.of(), refusals, HEAD);
    }

    private static PollBatch uses(TokenUse... uses) {
        return new PollBatch(List.of(), Set.of(), Set.of(), List.of(), List.of(uses), List.of(), HEAD);
    }

    private static PollBatch batch(ObservedPoll... polls) {
        return new PollBatch(List.of(polls), Set.of(), HEAD);
    }

    private static ObservedPoll poll(String cluster, Instant at) {
        return poll(cluster, "platform-components", at);
    }

    private static ObservedPoll poll(String cluster, String type, Instant at) {
        return new ObservedPoll(cluster, type, at, at, 200, "digest", 7, "set", "flux-operator/0.1", "127.0.0.1");
    }
}
