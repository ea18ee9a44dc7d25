package dev.homeport.flux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.TemplateRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No template pastes a value: whatever it is, it arrives as itself. */
class TemplateLintTest {
    static Stream<Path> templates() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/resources/dev/homeport/flux"))) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("templates")
    void everyValueIsQuoted(Path file) throws IOException {
        String text = Files.readString(file);
        assertThat(text).isNotEmpty();
        assertThat(TemplateRules.faults(text)).isEmpty();
    }

    @Test
    void thereAreTemplatesToLookAt() throws IOException {
        assertThat(templates().map(file -> file.getFileName().toString()))
                .containsExactly(
                        "checks.txt",
                        "component.yaml",
                        "namespaces.yaml",
                        "platform-components.yaml",
                        "rolebindings.yaml",
                        "rolebinding.yaml",
                        "rolebindings.yaml",
                        "checks.txt",
                        "component.yaml",
                        "platform-components.yaml",
                        "witnesses.yaml",
                        "types.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: << $i.id >>",
                "name: \"<< $i.id >>\"",
                "name: << $i.id | quote >>",
                "name: << $i.id | toYaml >>",
                "name: c-<< $i.id | toJson >>",
                "name: << $i.id | toJson >>-c",
                "<< $i.id | toJson >>: \"x\"",
                "labels: << $i.labels | toJson | nindent 4 >>",
                "name: plain",
                "name: << toJson $i.id | printf \"%s\" >>",
                "name: << `a\nb` >>",
                "- << $i.id >>",
                "<< range $i := inputs.items >> name: << $i >>",
                "name: << '\"' | toJson >> << $i.id >> << '\"' | toJson >>",
                "name: << $i.id | toJson",
                "name: << `a | toJson >>",
                "name: << \"a | toJson >>",
                "<< template \"x\" >>",
                "name: << $i.id | toJson >> # << $i.id >>",
            })
    void aPastedValueIsRefused(String template) {
        assertThat(TemplateRules.faults(template)).isNotEmpty();
    }

    @Test
    void whateverItIsIsReadInOneGo() {
        for (String part :
                List.of("<<", "<< ", "\"", "`", "<< \"", "a: << x | toJson >>", "\\", "<<- $x := y >>", " |", "- ")) {
            assertThat(TemplateRules.faults(part.repeat(8_000))).as(part).isNotNull();
        }
    }

    @Test
    void whatIsRightIsLeftAlone() {
        assertThat(TemplateRules.faults("""
                        <<- range $i := inputs.items >>
                        ---
                        kind: "Namespace"
                        metadata:
                          name: << $i.id | toJson >>
                          optional: true
                        list:
                          - << $i | toJson >>
                        <<- end >>
                        """)).isEqualTo(List.of());
    }
}
