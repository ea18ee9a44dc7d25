package dev.homeport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flux makes of answers, right and wrong ones. */
class FluxRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"inputs\": null}",
                "{\"inputs\": {}}",
                "{\"inputs\": []} and more",
                "\uFEFF{\"inputs\": []}",
                "{\"inputs\": [{}]}",
                "{\"inputs\": [null]}",
                "{\"inputs\": [{\"id\": 1}]}",
                "{\"inputs\": [{\"id\": \"a\"}, {\"id\": \"a\"}]}"
            })
    void isNoAnswer(String body) {
        assertThat(read(body)).isInstanceOf(FluxBody.Fault.class);
    }

    @Test
    void isTooLarge() {
        String body = "{\"inputs\": [{\"id\": \"a\", \"text\": \"" + "x".repeat(FluxBody.MOST_BYTES) + "\"}]}";
        assertThat(read(body)).isInstanceOf(FluxBody.Fault.class);
    }

    @Test
    void isCutAtTheLimit() {
        StringBuilder body = new StringBuilder("{\"INPUTS\": [{\"id\": \"0\"}");
        for (int i = 1; i <= Settings.LIMIT; i++) {
            body.append(",{\"id\":\"").append(i).append("\"}");
        }
        assertThat(((FluxBody.Inputs) read(body + "]}")).inputs()).hasSize(Settings.LIMIT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\": \"other\", \"type\": \"namespaces\", \"count\": 1, \"drain\": false, \"items\": [{\"id\": \"a\"}]}",
                "{\"id\": \"c1\", \"type\": \"rolebindings\", \"count\": 1, \"drain\": false, \"items\": [{\"id\": \"a\"}]}",
                "{\"id\": \"c1\", \"type\": \"namespaces\", \"count\": 2, \"drain\": false, \"items\": [{\"id\": \"a\"}]}",
                "{\"id\": \"c1\", \"type\": \"namespaces\", \"count\": 0, \"drain\": false, \"items\": []}"
            })
    void aTemplateRefusesToBuild(String input) {
        assertThat(built(input)).isInstanceOf(SetInput.Failed.class);
    }

    @Test
    void emptyWithDrainIsMeant() {
        String input = "{\"id\": \"c1\", \"type\": \"namespaces\", \"count\": 0, \"drain\": true, \"items\": []}";
        assertThat(((SetInput.Rendered) built(input)).items()).isEmpty();
    }

    @Test
    void noInputOrTwoChangeNothing() {
        assertThat(built("")).isInstanceOf(SetInput.Waiting.class);
        assertThat(built("{\"id\": \"c1\"}, {\"id\": \"c2\"}")).isInstanceOf(SetInput.Waiting.class);
    }

    @Test
    void whatGoesIsNoticedUnlessTheAnswerIsTheSame() {
        Provider provider = new Provider(
                new SimCluster(new Identity("c1", "c1.example.com", "", ""), 1), "namespaces", Settings.Shape.SETS);
        Provider.Difference first = apply(provider, "{\"id\": \"a\"}, {\"id\": \"b\", \"keep\": false}", 2, 5);
        assertThat(first.added()).extracting(SimItem::id).containsExactlyInAnyOrder("a", "b");
        Provider.Difference second = apply(provider, "{\"id\": \"a\", \"labels\": {}}", 1, 6);
        assertThat(second.changed()).extracting(SimItem::id).containsExactly("a");
        assertThat(second.gone())
                .extracting(SimItem::id, SimItem::kept)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("b", false));
        assertThat(provider.revision()).isEqualTo(6);
    }

    private static Provider.Difference apply(Provider provider, String items, int count, long revision) {
        String input = "{\"id\": \"c1\", \"type\": \"namespaces\", \"count\": " + count
                + ", \"drain\": false, \"items\": [" + items + "]}";
        byte[] body = input.getBytes(StandardCharsets.UTF_8);
        Provider.Difference difference =
                provider.apply((SetInput.Rendered) built(input), body, revision, new Shared<Map<String, SimItem>>());
        assertThat(provider.isOld(body)).isTrue();
        return difference;
    }

    private static FluxBody read(String body) {
        return FluxBody.read(body.getBytes(StandardCharsets.UTF_8), Settings.LIMIT);
    }

    private static SetInput built(String inputs) {
        List<tools.jackson.databind.node.ObjectNode> read =
                ((FluxBody.Inputs) read("{\"inputs\": [" + inputs + "]}")).inputs();
        return SetInput.of(read, "c1", "namespaces", Ailment.NONE);
    }
}
