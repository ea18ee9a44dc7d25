package dev.homeport.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class GoJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\"<&>\",\"b\":\"\\\" \\\\ \\t \\n \\b \\f \\u0001\"}",
                "{\"n\":[1.5,1e-7,9007199254740991,1e21,-0.0,0.1,-1]}",
                "{\"e\":{},\"l\":[],\"s\":\"\",\"t\":true}",
                "{\"é\":1,\"e\":2,\"漢\":3,\"\\uffef\":4}",
            })
    void isCanonicalJsonForNearlyEverything(String json) {
        JsonNode node = StrictJson.read(json);
        byte[] canonical = CanonicalJson.bytes(node);
        assertThat(text(GoJson.bytes(node))).isEqualTo(text(canonical));
        assertThat(GoJson.mayDiffer(canonical, canonical.length)).isFalse();
    }

    @Test
    void keysAreInTheOrderOfTheirCodePoints() {
        JsonNode node =
                StrictJson.read("{\"a\":{\"\ud83d\ude00\":1,\"\ufb00\":2},\"z\":[{\"\ud83d\ude00\":1,\"\ue000\":2}]}");
        assertThat(text(GoJson.bytes(node)))
                .isEqualTo("{\"a\":{\"\ufb00\":2,\"\ud83d\ude00\":1},\"z\":[{\"\ue000\":2,\"\ud83d\ude00\":1}]}");
        assertThat(mayDiffer(node)).isTrue();
    }

    @Test
    void lineSeparatorsAreEscapedInKeysAndValues() {
        JsonNode node = StrictJson.read("{\"k\u2028\":[\"v\u2029\"]}");
        assertThat(text(GoJson.bytes(node))).isEqualTo("{\"k\\u2028\":[\"v\\u2029\"]}");
        assertThat(mayDiffer(node)).isTrue();
    }

    @Test
    void whatIsSaidNotToDifferDoesNot() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 2_000; i++) {
            JsonNode node = RandomJson.object(random, 4);
            if (!mayDiffer(node)) {
                assertThat(text(GoJson.bytes(node))).isEqualTo(CanonicalJson.text(node));
            }
        }
    }

    private static boolean mayDiffer(JsonNode node) {
        byte[] canonical = CanonicalJson.bytes(node);
        return GoJson.mayDiffer(canonical, canonical.length);
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
