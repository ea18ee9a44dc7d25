package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.output.ProbeSummary;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What `homeport probe` says of all clusters together. */
class ProbeSummaryTest {
    private static List<String> lines(String json) {
        return ProbeSummary.lines(JsonMapper.shared().readTree(json), 200);
    }

    @Test
    void outcomesNumbersAndAnswersAreSummedUp() {
        assertThat(lines("""
                        {"counts": {"answered": 4, "pending": 1}, "silent": 2,
                         "numbers": {"clusters": 3, "sum": 10000000, "min": -1.5, "max": 7},
                         "answers": [{"answer": "7", "clusters": 3}, {"answer": "none", "clusters": 1}],
                         "more_answers": 5}"""))
                .containsExactly(
                        "",
                        "CLUSTERS  4 answered, 1 pending, 2 silent (not counted)",
                        "NUMBERS   sum 10000000, min -1.5, max 7, of 3 clusters",
                        "ANSWERS   3 clusters: 7",
                        "          1 cluster: none",
                        "          5 other answers");
    }

    @Test
    void anOlderServerHasCountsAlone() {
        assertThat(lines("{\"counts\": {\"passed\": 2}}")).containsExactly("", "CLUSTERS  2 passed");
        assertThat(lines("{\"counts\": {}}")).containsExactly("", "CLUSTERS  none");
    }

    @Test
    void whatClustersAnsweredCannotControlTheTerminal() {
        assertThat(lines("{\"counts\": {}, \"answers\": [{\"answer\": \"\\u001b[2J\", \"clusters\": 1}]}"))
                .noneMatch(line -> line.contains("\u001b"));
    }
}
