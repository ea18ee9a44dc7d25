package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What reports prove, and what they do not. */
class ProgressTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final Wanted.Part WANTED = new Wanted.Part("now", "2.0.0", "HelmRelease");

    private static Report report(String object, Verdict verdict, int second, String revision, String item) {
        return new Report(
                "c1",
                "component/x",
                object,
                verdict,
                NOON.plusSeconds(second),
                100 + second,
                "body-" + second,
                revision,
                "answer",
                item,
                "",
                "",
                NOON.plusSeconds(second));
    }

    private static Progress progress(Report... reports) {
        return Progress.of(WANTED, List.of(reports), NOON);
    }

    @ParameterizedTest
    @CsvSource({
        "2.0.0@sha256:abc, 2.0.0, true",
        "2.0.0+0123456789ab, 2.0.0, true",
        "2.0.0, v2.0.0, true",
        "1.0.0+build.0123, 1.0.0_build, true",
        "sha256:abc, sha256:abc, true",
        "latest@sha256:abc, sha256:abc, true",
        "2.0.0@sha256:abc, 2.0.1, false",
        "2.0.0-rc1@sha256:abc, 2.0.0, false",
        "v2.0.0@sha256:abc, 2.0.0, false",
        "'', 2.0.0, false",
        "2.0.0, '', false"
    })
    void whichRevisionsAreTheOneAskedFor(String revision, String tag, boolean same) {
        assertThat(Revisions.match(revision, tag)).isEqualTo(same);
    }

    @Test
    void bothTheRevisionAndTheItemMustBeTheOnesAskedFor() {
        assertThat(progress(report("k", Verdict.HEALTHY, 5, "2.0.0@d", "now")).healthy())
                .isPresent();
        assertThat(progress(report("k", Verdict.HEALTHY, 5, "1.0.0@d", "now")).healthy())
                .isEmpty();
        assertThat(progress(report("k", Verdict.HEALTHY, 5, "2.0.0@d", "before"))
                        .healthy())
                .isEmpty();
        // Without a known answer, only what came after it was served.
        assertThat(progress(report("k", Verdict.HEALTHY, 5, "2.0.0@d", "")).healthy())
                .isPresent();
        assertThat(progress(report("k", Verdict.HEALTHY, -5, "2.0.0@d", "")).healthy())
                .isEmpty();
    }

    @Test
    void aFailureStandsUntilALaterProof() {
        Report failed = report("h", Verdict.FAILED, 5, "2.0.0", "now");
        assertThat(progress(failed).failure()).contains(failed);
        assertThat(progress(failed, report("h", Verdict.HEALTHY, 4, "2.0.0", "now"))
                        .failure())
                .isPresent();
        assertThat(progress(failed, report("k", Verdict.HEALTHY, 6, "1.0.0@d", "now"))
                        .failure())
                .isPresent();
        assertThat(progress(failed, report("h", Verdict.FINE, 6, "", "")).failure())
                .isEmpty();
        assertThat(progress(failed, report("other", Verdict.FINE, 6, "", "")).failure())
                .isPresent();
        Progress well = progress(failed, report("k", Verdict.HEALTHY, 6, "2.0.0@d", "now"));
        assertThat(well.failure()).isEmpty();
        assertThat(well.healthy()).isPresent();
    }

    @Test
    void whatRanBeforeAFailureProvesNothing() {
        Report before = report("h", Verdict.HEALTHY, 1, "2.0.0", "now");
        Report failed = report("h", Verdict.FAILED, 5, "3.0.0", "another");
        Progress progress = progress(before, failed);
        assertThat(progress.healthy()).isEmpty();
        assertThat(progress.failure()).isEmpty(); // it was about what is no longer asked for
        assertThat(Progress.of(WANTED, List.of(before, failed), null).failure()).isPresent();
    }

    @Test
    void removalsAreBelievedUntilSomethingRunsAgain() {
        Report gone = report("h", Verdict.GONE, 5, "", "");
        Report runs = report("h", Verdict.HEALTHY, 6, "2.0.0", "now");
        assertThat(Progress.removal(List.of(gone))).isPresent();
        assertThat(Progress.removal(List.of(gone, runs))).isEmpty();
        assertThat(progress(gone, report("h", Verdict.HEALTHY, 4, "2.0.0", "now"))
                        .healthy())
                .isEmpty();
        assertThat(progress(gone, runs).healthy()).isPresent();
    }

    @Test
    void theOrderOfArrivalDoesNotMatter() {
        List<Report> reports = new ArrayList<>(List.of(
                report("h", Verdict.FAILED, 3, "2.0.0", "now"),
                report("k", Verdict.HEALTHY, 4, "2.0.0@d", "now"),
                report("h", Verdict.APPLIED, 2, "2.0.0", "now"),
                report("o", Verdict.FINE, 1, "", "")));
        Progress expected = Progress.of(WANTED, reports, NOON);
        for (int i = 0; i < reports.size(); i++) {
            Collections.rotate(reports, 1);
            assertThat(Progress.of(WANTED, reports, NOON)).isEqualTo(expected);
        }
    }

    @Test
    void aWitnessIsOneMoreReport() {
        Report failed = report("k", Verdict.FAILED, 5, "2.0.0", "now");
        Report well = report("Witness/component/x", Verdict.HEALTHY, 6, "2.0.0", "now");
        assertThat(progress(failed, well).failure()).isEmpty();
        assertThat(progress(failed, well).healthy()).contains(well);
        assertThat(well.source()).isEqualTo(Source.WITNESS);
        Report before = report("Witness/component/x", Verdict.HEALTHY, 4, "2.0.0", "now");
        assertThat(progress(failed, before).failure()).contains(failed);
        Report another = report("Witness/component/x", Verdict.HEALTHY, 6, "2.0.0", "before");
        assertThat(progress(failed, another).failure()).contains(failed);
    }

    /** Times of events are whole seconds. */
    @Test
    void inTheSameSecondAWitnessThatCameLaterCounts() {
        Report failed = report("k", Verdict.FAILED, 5, "2.0.0", "now");
        Report same = new Report(
                "c1",
                "component/x",
                "Witness/component/x",
                Verdict.HEALTHY,
                failed.at(),
                1,
                "body",
                "2.0.0",
                "",
                "now",
                "",
                "",
                failed.receivedAt().plusMillis(1));
        assertThat(progress(failed, same).healthy()).contains(same);
        assertThat(same.isAfter(failed)).isTrue();
        assertThat(failed.isAfter(same)).isFalse();
    }

    @Test
    void theWordsOfAFailureAreThoseOfItsEvent() {
        Report event = report("k", Verdict.FAILED, 5, "2.0.0", "now");
        Report witness = report("Witness/component/x", Verdict.FAILED, 6, "2.0.0", "now");
        assertThat(progress(event, witness).failure()).contains(event);
        Report well = report("k", Verdict.HEALTHY, 7, "2.0.0", "now");
        assertThat(progress(event, witness, well).failure()).isEmpty();
        Report again = report("Witness/component/x", Verdict.FAILED, 8, "2.0.0", "now");
        assertThat(progress(event, well, again).failure())
                .as("an older failure")
                .contains(again);
    }

    /** A provider reports each answer that it has fetched, often within the second in which the set fails with it. */
    @Test
    void aProviderThatHasFetchedAnAnswerDoesNotEndTheFailureOfItsSet() {
        Report event = report("ResourceSet/flux-system/homeport-x", Verdict.FAILED, 5, "2.0.0", "now");
        Report witness = report("Witness/type/x", Verdict.FAILED, 6, "2.0.0", "now");
        for (int second : new int[] {4, 5, 7}) {
            Report fetched =
                    report("ResourceSetInputProvider/flux-system/homeport-x", Verdict.FINE, second, "2.0.0", "now");
            assertThat(progress(event, fetched, witness).failure())
                    .as("second %s", second)
                    .contains(event);
        }
        Report again = report("Witness/type/x", Verdict.FAILED, 8, "2.0.0", "now");
        for (String object : new String[] {event.object(), witness.object()}) {
            assertThat(progress(event, report(object, Verdict.FINE, 7, "2.0.0", "now"), again)
                            .failure())
                    .as(object + " was well since")
                    .contains(again);
        }
    }
}
