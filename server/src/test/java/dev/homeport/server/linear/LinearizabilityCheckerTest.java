package dev.homeport.server.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.linear.DocumentOperation.Kind;
import dev.homeport.server.linear.DocumentOperation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker itself: it accepts what a single copy could have answered, and rejects what it could not. */
class LinearizabilityCheckerTest {
    private static DocumentOperation create(String value, long revision, long start, long end) {
        return new DocumentOperation("a", Kind.CREATE, null, value, Outcome.DONE, null, revision, start, end);
    }

    private static DocumentOperation update(String expected, String value, long revision, long start, long end) {
        return new DocumentOperation("a", Kind.UPDATE, expected, value, Outcome.DONE, null, revision, start, end);
    }

    private static DocumentOperation get(String value, long revision, long start, long end) {
        return new DocumentOperation("a", Kind.GET, null, null, Outcome.DONE, value, revision, start, end);
    }

    private static DocumentOperation refused(Kind kind, String expected, Outcome outcome, long start, long end) {
        return new DocumentOperation("a", kind, expected, "refused" + start, outcome, null, 0, start, end);
    }

    private static DocumentOperation unknown(Kind kind, String expected, String value, long start) {
        return new DocumentOperation("a", kind, expected, value, Outcome.UNKNOWN, null, 0, start, Long.MAX_VALUE);
    }

    private static boolean legal(DocumentOperation... history) {
        return LinearizabilityChecker.fault(List.of(history)).isEmpty();
    }

    @Test
    void whatOneCopyCouldHaveAnsweredIsAccepted() {
        assertThat(legal(create("x", 1, 0, 10), get("x", 1, 11, 12))).isTrue();
        // While the update runs, both versions may be seen, but not the old one after the new one.
        assertThat(legal(create("x", 1, 0, 1), update("x", "y", 2, 2, 10), get("x", 1, 3, 4), get("y", 2, 5, 6)))
                .isTrue();
        assertThat(legal(
                        create("x", 1, 0, 1),
                        update("x", "y", 2, 2, 10),
                        refused(Kind.UPDATE, "x", Outcome.STALE, 3, 9)))
                .isTrue();
        assertThat(legal(refused(Kind.GET, null, Outcome.ABSENT, 0, 5), create("x", 1, 0, 10)))
                .isTrue();
    }

    @Test
    void aReadOfThePastIsRejected() {
        assertThat(legal(create("x", 1, 0, 1), update("x", "y", 2, 2, 3), get("x", 1, 4, 5)))
                .isFalse();
        assertThat(legal(create("x", 1, 0, 1), update("x", "y", 2, 2, 10), get("y", 2, 3, 4), get("x", 1, 5, 6)))
                .isFalse();
        assertThat(legal(create("x", 1, 0, 1), refused(Kind.GET, null, Outcome.ABSENT, 2, 3)))
                .isFalse();
    }

    @Test
    void aLostUpdateIsRejected() {
        assertThat(legal(create("x", 1, 0, 1), update("x", "y", 2, 2, 5), update("x", "z", 3, 3, 6)))
                .isFalse();
        assertThat(legal(create("x", 1, 0, 1), create("y", 2, 0, 1))).isFalse();
    }

    @Test
    void aRefusalWithoutAReasonIsRejected() {
        assertThat(legal(create("x", 1, 0, 1), refused(Kind.UPDATE, "x", Outcome.STALE, 2, 3)))
                .isFalse();
        assertThat(legal(create("x", 1, 0, 1), refused(Kind.DELETE, "x", Outcome.ABSENT, 2, 3)))
                .isFalse();
        assertThat(legal(refused(Kind.CREATE, null, Outcome.EXISTS, 0, 1))).isFalse();
    }

    @Test
    void whatHasNoAnswerMayHaveHappenedOrNot() {
        DocumentOperation lost = unknown(Kind.UPDATE, "x", "y", 2);
        assertThat(legal(create("x", 1, 0, 1), lost, get("x", 1, 5, 6))).isTrue();
        assertThat(legal(create("x", 1, 0, 1), lost, get("y", 2, 5, 6))).isTrue();
        assertThat(legal(create("x", 1, 0, 1), lost, get("x", 1, 5, 6), get("y", 2, 7, 8)))
                .isTrue();
        assertThat(legal(create("x", 1, 0, 1), lost, get("y", 2, 5, 6), get("x", 1, 7, 8)))
                .isFalse();
        assertThat(legal(unknown(Kind.UPDATE, "other", "y", 0), create("x", 1, 0, 1), get("y", 2, 5, 6)))
                .isFalse();
    }

    @Test
    void revisionsGrowInTheOrderOfTime() {
        assertThat(legal(create("x", 5, 0, 1), update("x", "y", 4, 2, 3))).isFalse();
        assertThat(legal(create("x", 5, 0, 1), get("x", 6, 2, 3))).isFalse();
        DocumentOperation other = new DocumentOperation("b", Kind.CREATE, null, "o", Outcome.DONE, null, 1, 2, 3);
        assertThat(legal(create("x", 2, 0, 1), other)).isFalse();
    }
}
