package dev.homeport.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is refused is in the table of hostile documents; here is where the limits lie exactly. */
class StrictJsonTest {
    @Test
    void theDeepestAndTheNextLevel() {
        assertEquals(1, StrictJson.parse(utf8("[".repeat(32) + "]".repeat(32))).size());
        assertEquals(ErrorCode.INVALID, refusal("[".repeat(33) + "]".repeat(33)).code());
    }

    @Test
    void theLongestAndTheNextString() {
        String longest = "a".repeat(StrictJson.MAX_STRING);
        assertEquals(longest, StrictJson.parse(utf8("\"" + longest + "\"")).stringValue());
        assertEquals(ErrorCode.INVALID, refusal("\"a" + longest + "\"").code());
    }

    @Test
    void duplicateKeysAreRefusedAtAnyDepthAndHoweverTheyAreWritten() {
        assertEquals(ErrorCode.MALFORMED, refusal("{\"a\":1,\"a\":1}").code());
        assertEquals(
                ErrorCode.MALFORMED,
                refusal("{\"x\":[{\"a\":1,\"\\u0061\":1}]}").code());
    }

    @Test
    void aMessageRepeatsLittleAndNothingHarmful() {
        String key = "\\u001b[31m" + "k".repeat(5000);
        Problem problem = refusal("{\"" + key + "\":1,\"" + key + "\":2}");
        assertTrue(problem.detail().length() < 250, problem.detail());
        assertTrue(problem.detail().chars().allMatch(c -> c >= 0x20 && c < 0x7F), problem.detail());
    }

    @Test
    void randomBytesAreNeverAnInternalError() {
        SplittableRandom random = new SplittableRandom(5);
        String pieces = "{}[]\",:\\u0123456789eE+-.truefalsn \n\u00e4";
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(24)];
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = random.nextInt(20) == 0
                        ? (byte) random.nextInt(256)
                        : (byte) pieces.charAt(random.nextInt(pieces.length()));
            }
            try {
                StrictJson.parse(bytes);
            } catch (ProblemException e) {
                assertTrue(e.problem().code().httpStatus() < 500);
            }
        }
    }

    private static Problem refusal(String json) {
        return assertThrows(ProblemException.class, () -> StrictJson.parse(utf8(json)))
                .problem();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
