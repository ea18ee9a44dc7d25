package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which interval a cluster is judged by. */
class PollIntervalTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            every=1m              | 1m
            every=1h30m           | 1h30m
            x=1&every=1.5s&y=2    | 1.5s
            every=1m&every=2m     | 1m
            every=                | -
            every=m5              | -
            every=1m%20           | -
            every=~1m             | -
            every=-1m             | -
            every=1234567890s     | -
            never=1m              | -
            EVERY=1m              | -
            """)
    void aPollSaysHowOftenItComes(String query, String every) {
        assertThat(PollInterval.inQuery(query)).isEqualTo(every == null ? "" : every);
    }

    @Test
    void whatAPollSaysCountsWhateverTheDocumentSays() {
        assertThat(PollInterval.of("10s", "1m")).isEqualTo(Duration.ofMinutes(1));
        assertThat(PollInterval.of("1h", "1m")).isEqualTo(Duration.ofMinutes(1));
        assertThat(PollInterval.of("", "1m")).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void theDocumentCountsUnlessPollsComeFurtherApart() {
        assertThat(PollInterval.of("1m", "")).isEqualTo(Duration.ofMinutes(1));
        assertThat(PollInterval.of("10s", PollInterval.measured(60))).isEqualTo(Duration.ofMinutes(1));
        assertThat(PollInterval.of("10m", PollInterval.measured(60))).isEqualTo(Duration.ofMinutes(10));
        assertThat(PollInterval.of("", PollInterval.measured(60))).isEqualTo(Duration.ofMinutes(10));
        assertThat(PollInterval.of("", "")).isEqualTo(Duration.ofMinutes(10));
    }
}
