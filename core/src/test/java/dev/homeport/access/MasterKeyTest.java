package dev.homeport.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A secret is recognised by its whole hash under one of the keys, and by nothing less. */
class MasterKeyTest {
    private static byte[] key(int value) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) value);
        return key;
    }

    @Test
    void aHashIsComparedWhole() {
        MasterKey master = new MasterKey(key(1));
        String hash = master.hash("secret");
        assertThat(master.matches("secret", hash)).isTrue();
        for (int i = 0; i < hash.length(); i++) {
            String other = hash.substring(0, i) + (hash.charAt(i) == '0' ? '1' : '0') + hash.substring(i + 1);
            assertThat(master.matches("secret", other)).as(other).isFalse();
            assertThat(master.matches("secret", hash.substring(0, i))).isFalse();
        }
        assertThat(master.matches("secret", hash + "00")).isFalse();
    }

    @Test
    void everyCharacterOfASecretCounts() {
        MasterKey master = new MasterKey(key(1));
        String secret = "0123456789".repeat(4) + "abc";
        String hash = master.hash(secret);
        for (int i = 0; i < secret.length(); i++) {
            assertThat(master.matches(secret.substring(0, i) + "x" + secret.substring(i + 1), hash))
                    .isFalse();
            assertThat(master.matches(secret.substring(0, i), hash)).isFalse();
        }
        assertThat(master.matches(secret + "d", hash)).isFalse();
    }

    @Test
    void anotherKeyKnowsItOnlyAsAnOlderOne() {
        String hash = new MasterKey(key(1)).hash("secret");
        assertThat(new MasterKey(key(2)).matches("secret", hash)).isFalse();
        assertThat(new MasterKey(List.of(key(2), key(1))).matches("secret", hash))
                .isTrue();
        assertThat(new MasterKey(List.of(key(2), key(1))).hash("secret")).isNotEqualTo(hash);
    }
}
