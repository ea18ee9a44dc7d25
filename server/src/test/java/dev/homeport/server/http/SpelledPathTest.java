package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpelledPathTest {
    @ParameterizedTest
    @CsvSource({
        "/clusters/c1, /clusters/c1",
        "/clusters/%63%31, /clusters/c1",
        "/clusters/c1%3Apause, /clusters/c1:pause",
        "/clusters/c1%3apause, /clusters/c1:pause",
        "/types/a%2Db%2Ec%5Fd%7Ee%40f, /types/a-b.c_d~e@f",
        "/clusters/a%2Fb, /clusters/a%2Fb",
        "/clusters/a%00b, /clusters/a%00b",
        "/clusters/%2563, /clusters/%2563",
        "/clusters/%6, /clusters/%6",
        "/clusters/%, /clusters/%",
        "/clusters/%C3%A4, /clusters/%C3%A4"
    })
    void needlessEscapesAreTakenOut(String spelled, String plain) {
        assertThat(SpelledPath.plain(spelled)).isEqualTo(plain);
    }

    @Test
    void everyEscapeOfAPlainCharacterAndNoOther() {
        for (int c = 0; c < 256; c++) {
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "-._~:@".indexOf(c) >= 0);
            String escape = "%%%02x".formatted(c);
            assertThat(SpelledPath.plain(escape)).isEqualTo(plain ? Character.toString(c) : escape);
        }
    }
}
