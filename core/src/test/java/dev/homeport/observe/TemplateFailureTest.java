package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TemplateFailureTest {
    @Test
    void theSentenceComesFirstAndTheRestStays() {
        String where = "failed to build resources: template: resourceset:2:74: executing \"resourceset\" at"
                + " <fail \"this list is not whole\">";
        assertThat(TemplateFailure.sentenceFirst(where + ": error calling fail: this list is not whole\n"))
                .isEqualTo("this list is not whole (" + where + ")");
    }

    @Test
    void otherMessagesStayAsTheyAre() {
        for (String message : new String[] {
            "", "failed to apply: webhook denied it", "error calling fail: ", "x: error calling fail: ", "a\nb"
        }) {
            assertThat(TemplateFailure.sentenceFirst(message)).isEqualTo(message);
        }
    }
}
