package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Head;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.PollBatch;
import dev.homeport.observe.Stranger;
import dev.homeport.store.ObservedStore;
import dev.homeport.store.ObservedStores;
import dev.homeport.store.Opening;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedAnswersTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final String FIRST = "1".repeat(32);
    private static final String SECOND = "2".repeat(32);
    private static final String NEVER = "3".repeat(32);

    @TempDir
    private Path folder;

    private ObservedStore observed;
    private final Strangers strangers = new Strangers();
    private final ReportedAnswers answers = new ReportedAnswers(strangers, (cluster, digest) -> digest.equals(SECOND));

    @BeforeEach
    void open() {
        observed = ObservedStores.sqlite(folder, Opening.Mode.WRITER, "one");
    }

    @AfterEach
    void close() {
        observed.close();
    }

    private void given(String digest, Instant at) {
        GivenAnswer answer = GivenAnswer.now("c1", "platform-components", "set", digest, at, Optional.empty());
        observed.save(new PollBatch(
                List.of(), Set.of(), Set.of(), List.of(answer), List.of(), List.of(), new Head("s", 1, 1, "h")));
    }

    private List<Stranger> reported(String digest, Instant at) {
        answers.noteAnswer("c1", digest, "10.0.0.1", at);
        answers.compareAnswers(at.plus(Duration.ofMinutes(10)), observed);
        assertThat(strangers.take()).as("another server may have given it").isEmpty();
        answers.compareAnswers(at.plus(Duration.ofMinutes(21)), observed);
        return strangers.take();
    }

    @Test
    void anAnswerThatWasNeverGivenIsNoticed() {
        given(FIRST, NOON.minus(Duration.ofDays(2)));
        given(SECOND, NOON.minus(Duration.ofHours(1)));
        assertThat(reported(NEVER, NOON)).singleElement().satisfies(one -> {
            assertThat(one.name()).isEqualTo("c1");
            assertThat(one.why()).isEqualTo(Stranger.UNKNOWN_ANSWER);
        });
    }

    @Test
    void thoseThatWereGivenAreNot() {
        given(FIRST, NOON.minus(Duration.ofDays(2)));
        given(SECOND, NOON.minus(Duration.ofHours(1)));
        assertThat(reported(FIRST, NOON)).isEmpty();
        assertThat(reported(SECOND, NOON)).isEmpty();
        assertThat(reported("", NOON)).isEmpty();
    }

    @Test
    void nothingIsSaidWhereNothingIsRemembered() {
        assertThat(reported(NEVER, NOON)).isEmpty();
        given(FIRST, NOON.minus(Duration.ofHours(1)));
        assertThat(reported(NEVER, NOON)).isEmpty();
    }

    @Test
    void theDigestOfAnItemIsNotTakenForAnAnswer() {
        given(FIRST, NOON.minus(Duration.ofDays(2)));
        assertThat(reported("3".repeat(16), NOON)).isEmpty();
    }

    private List<Stranger> reportedItem(Optional<Boolean> past) {
        answers.noteItem("c1", "podinfo", "4".repeat(16), "10.0.0.1", NOON);
        answers.compareItems(NOON.plus(Duration.ofMinutes(10)), (_, _, _) -> past);
        assertThat(strangers.take()).as("another server may have given it").isEmpty();
        answers.compareItems(NOON.plus(Duration.ofMinutes(21)), (_, _, _) -> past);
        return strangers.take();
    }

    @Test
    void anItemThatWasNeverWantedIsNoticed() {
        assertThat(reportedItem(Optional.of(false))).extracting(Stranger::why).containsExactly(Stranger.UNKNOWN_ANSWER);
        assertThat(reportedItem(Optional.of(true))).isEmpty();
        assertThat(reportedItem(Optional.empty()))
                .as("the log is too long to tell")
                .isEmpty();
    }

    @Test
    void aClusterThatReportsNonsenseDoesNotSilenceOthers() {
        for (int i = 0; i < 5_000; i++) {
            answers.noteItem("noisy", "podinfo", "%016x".formatted(i), "10.0.0.9", NOON);
        }
        answers.noteItem("c1", "podinfo", "4".repeat(16), "10.0.0.1", NOON);
        Set<String> looked = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            answers.compareItems(NOON.plus(Duration.ofMinutes(21)), (cluster, _, _) -> {
                looked.add(cluster);
                return Optional.of(true);
            });
        }
        assertThat(looked).containsExactlyInAnyOrder("noisy", "c1");
    }
}
