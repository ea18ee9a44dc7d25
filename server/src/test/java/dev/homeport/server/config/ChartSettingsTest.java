package dev.homeport.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The chart refuses settings that it does not know, so it must know those that there are. */
class ChartSettingsTest {
    @Test
    void theChartKnowsEverySettingAndNoOther() {
        Path schema = Path.of(
                Objects.requireNonNull(System.getProperty("homeport.root")), "deploy", "chart", "values.schema.json");
        JsonNode settings = JsonMapper.shared().readTree(schema).at("/properties/settings");
        assertThat(settings.path("additionalProperties").asBoolean(true)).isFalse();
        assertThat(settings.path("properties").propertyNames())
                .containsExactlyElementsOf(
                        Arrays.stream(Setting.values()).map(Setting::key).toList());
    }
}
