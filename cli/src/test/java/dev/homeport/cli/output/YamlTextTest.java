package dev.homeport.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Files of people, who use all of YAML. */
class YamlTextTest {
    @Test
    void anAliasIsTheValueOfItsAnchor() {
        JsonNode read = YamlText.read("""
                team: &team platform
                labels: &labels {tier: gold, owner: *team}
                one: {labels: *labels}
                two: [*labels, *team]
                """);
        assertThat(read.toString())
                .isEqualTo("{\"team\":\"platform\",\"labels\":{\"tier\":\"gold\",\"owner\":\"platform\"},"
                        + "\"one\":{\"labels\":{\"tier\":\"gold\",\"owner\":\"platform\"}},"
                        + "\"two\":[{\"tier\":\"gold\",\"owner\":\"platform\"},\"platform\"]}");
        assertThatThrownBy(() -> YamlText.read("a: *nobody"))
                .isInstanceOf(JacksonException.class)
                .hasMessageContaining("undefined alias nobody, in line 1");
        assertThatThrownBy(() -> YamlText.readAll("a: &x 1\n---\nb: *x\n")).hasMessageContaining("undefined alias x");
        assertThatThrownBy(() -> YamlText.read("a: &x [*x]")).hasMessageContaining("nested more than");
    }

    @Test
    @Timeout(10)
    void aFileThatGrowsIntoAMountainIsRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 12; i++) {
            String before = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, (before + ", ").repeat(9) + before));
        }
        assertThatThrownBy(() -> YamlText.read(bomb.toString())).hasMessageContaining("aliases repeat more than");
        assertThatThrownBy(() -> YamlText.read("a: " + "[".repeat(5000) + "]".repeat(5000)))
                .isInstanceOf(JacksonException.class);
    }

    @Test
    void aKeyThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> YamlText.read("id: a\nspec:\n  owner: x\n  owner: y\n"))
                .hasMessageContaining("duplicate key owner, in line 4");
        assertThatThrownBy(() -> YamlText.read("{\"a\": 1, \"a\": 2}")).isInstanceOf(JacksonException.class);
    }

    @Test
    void everyKindOfTextIsRead() {
        assertThat(YamlText.readAll("\uFEFF{\"a\":1}\r\n{\"a\":2}\r\n").toString())
                .isEqualTo("[{\"a\":1}, {\"a\":2}]");
        assertThat(YamlText.readAll("[{\"a\":1}]").toString()).isEqualTo("[[{\"a\":1}]]");
        assertThat(YamlText.readAll("{a: 1, b: yes}").toString()).isEqualTo("[{\"a\":1,\"b\":\"yes\"}]");
        assertThat(YamlText.readAll("\uFEFF---\r\na: 1\r\n---\r\nb: 1.5\r\nc: ~\r\n")
                        .toString())
                .isEqualTo("[{\"a\":1}, {\"b\":1.5,\"c\":null}]");
        assertThat(YamlText.readAll("")).isEmpty();
        assertThat(YamlText.read("# nothing").isNull()).isTrue();
    }

    /** Work that grows with the square of the length would take hours here. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void theCostOfALongValueGrowsWithItsLength() {
        String text = "x".repeat(8_000_000);
        assertThat(YamlText.read("a: \"" + text + "\"").path("a").asString()).hasSize(text.length());
    }
}
