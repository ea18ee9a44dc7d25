package dev.homeport.flux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Rendering;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The templates in answers are part of the answers' format, so that a new release makes no cluster reconcile before the
 * commit that raises {@code answer_format}.
 */
class FrozenTemplatesTest {
    /** Of format 1, format 2 and so on, as they were released. */
    private static final List<String> RELEASED = List.of(
            "9663ad72559ad7b816ffc7c56d73c1dc", "b08e6b108f9bb6f1a651289399ae7250", "f7edd9d937f0e168848f65f77df332e3");

    @Test
    void aReleasedFormatStaysAsItIs() {
        assertThat(IntStream.rangeClosed(1, Rendering.NEWEST_FORMAT)
                        .mapToObj(FrozenTemplatesTest::digest)
                        .toList())
                .as(
                        "Clusters would reconcile at a mere restart. A changed template goes into a new folder format-%d, with a"
                                + " new Rendering.NEWEST_FORMAT, a new maximum in settings.json, and one more digest here.",
                        Rendering.NEWEST_FORMAT + 1)
                .isEqualTo(RELEASED);
    }

    private static String digest(int format) {
        StringBuilder text = new StringBuilder();
        for (TypeDefinition type : BuiltInTypes.catalog().all()) {
            Templates.of(format).of(type).ifPresent(template -> add(text, type.plural(), template));
        }
        Templates.of(format).witnesses().ifPresent(template -> add(text, Types.WITNESSES, template));
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.toString().getBytes(StandardCharsets.UTF_8)),
                            0,
                            16);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void add(StringBuilder text, String plural, Templates.Template template) {
        text.append(plural)
                .append('\n')
                .append(template.serviceAccount())
                .append('\n')
                .append(template.text())
                .append('\n');
    }
}
