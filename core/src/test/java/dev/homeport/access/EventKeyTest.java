package dev.homeport.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each cluster's key is its own, and outlives the master key that it came from for as long as that is kept. */
class EventKeyTest {
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    private static byte[] key(int fill) {
        byte[] key = new byte[MasterKey.BYTES];
        Arrays.fill(key, (byte) fill);
        return key;
    }

    @Test
    void clustersAndGenerationsDiffer() {
        MasterKey master = new MasterKey(key(1));
        assertThat(List.of(
                        master.eventKey("a", 1),
                        master.eventKey("b", 1),
                        master.eventKey("a", 2),
                        master.eventKey("a", 1, 2),
                        master.eventKey("a", 1, 3),
                        master.eventKey("a", 12),
                        new MasterKey(key(2)).eventKey("a", 1)))
                .doesNotHaveDuplicates()
                .allMatch(text -> text.matches("hpe_e[0-9a-z]{1,12}_[0-9A-Za-z]{49}"));
    }

    @Test
    void aScannerRecognisesAKeyByItsPrefixAndChecksum() {
        String key = new MasterKey(key(1)).eventKey("a", 1);
        assertThat(TokenText.parse(key)).as("it is not a token").isEmpty();
        String body = key.substring(0, key.length() - 6);
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(body.getBytes(StandardCharsets.US_ASCII));
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        StringBuilder sum = new StringBuilder();
        long rest = crc.getValue();
        for (int i = 0; i < 6; i++) {
            sum.insert(0, digits.charAt((int) (rest % 62)));
            rest /= 62;
        }
        assertThat(key).isEqualTo(body + sum);
    }

    @Test
    void clustersOfOlderReleasesKeepTheirKeys() {
        // HKDF-SHA256 of 32 bytes 01; the info is "homeport event", "a" and "1" with NUL between them
        List<String> keys = new MasterKey(key(1)).eventKeys("a", 1, 1);
        assertThat(keys).hasSize(2);
        assertThat(keys.get(1)).isEqualTo("fb293df870994a677cca5098e1cd92c66bdd3eb2f6854a524ceb5bcc7014d3e0");
        assertThat(EventSignature.isValid(
                        EventSignature.of("fb293df870994a677cca5098e1cd92c66bdd3eb2f6854a524ceb5bcc7014d3e0", BODY),
                        BODY,
                        keys))
                .isTrue();
    }

    @Test
    void theOldMasterKeysEventsAreTakenUntilItIsForgotten() {
        String signature = EventSignature.of(new MasterKey(key(1)).eventKey("a", 1), BODY);
        MasterKey both = new MasterKey(List.of(key(2), key(1)));
        assertThat(EventSignature.isValid(signature, BODY, both.eventKeys("a", 1, 1)))
                .isTrue();
        assertThat(EventSignature.isValid(signature, BODY, new MasterKey(key(2)).eventKeys("a", 1, 1)))
                .isFalse();
    }

    @Test
    void theKeyBeforeIsTakenBesideTheNewestAndNoOther() {
        MasterKey master = new MasterKey(key(1));
        String third = EventSignature.of(master.eventKey("a", 1, 3), BODY);
        assertThat(EventSignature.isValid(third, BODY, master.eventKeys("a", 1, 2)))
                .isFalse();
        assertThat(EventSignature.isValid(third, BODY, master.eventKeys("a", 1, 3)))
                .isTrue();
        assertThat(EventSignature.isValid(third, BODY, master.eventKeys("a", 1, 4)))
                .isTrue();
        assertThat(EventSignature.isValid(third, BODY, master.eventKeys("a", 1, 5)))
                .isFalse();
        assertThat(master.eventKeys("a", 1, 1))
                .startsWith(master.eventKey("a", 1))
                .hasSize(2);
    }

    @Test
    void theSignatureIsWhatFluxSends() {
        // echo -n '{}' | openssl dgst -sha256 -hmac key
        assertThat(EventSignature.of("key", BODY))
                .isEqualTo("sha256=a777724d943eb48dc69bca8a4a6d57a04db3f9ec7e1de4e581e860265bdf3032");
    }

    /** Every character counts: one that differs, one that is missing and one too many are each another signature. */
    @Test
    void aSignatureIsComparedWhole() {
        List<String> keys = List.of("key");
        String whole = EventSignature.of("key", BODY);
        assertThat(EventSignature.isValid(whole, BODY, keys)).isTrue();
        for (int i = 0; i < whole.length(); i++) {
            String other = whole.substring(0, i) + (whole.charAt(i) == '0' ? '1' : '0') + whole.substring(i + 1);
            assertThat(EventSignature.isValid(other, BODY, keys)).as(other).isFalse();
            assertThat(EventSignature.isValid(whole.substring(0, i), BODY, keys))
                    .isFalse();
        }
        assertThat(EventSignature.isValid(whole + "0", BODY, keys)).isFalse();
        assertThat(EventSignature.isValid(whole + whole, BODY, keys)).isFalse();
    }
}
