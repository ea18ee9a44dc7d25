package dev.homeport.server.signin;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM sealed cookies. The key is derived from the master key, so that every server of the installation can open them, also
 * after a restart.
 */
final class SealedCookies {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final List<SecretKeySpec> keys;
    private final SecureRandom random = new SecureRandom();

    /** @param keys the first seals, each of them opens */
    SealedCookies(List<byte[]> keys) {
        this.keys = keys.stream().map(key -> new SecretKeySpec(key, "AES")).toList();
    }

    /** @param purpose what is sealed for one is not taken for another */
    String seal(String purpose, byte[] plain) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, keys.getFirst(), nonce, purpose).doFinal(plain);
            byte[] whole = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, whole, NONCE, sealed.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    Optional<byte[]> open(String purpose, String text) {
        byte[] whole;
        try {
            whole = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (whole.length <= NONCE) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(whole, NONCE);
        for (SecretKeySpec key : keys) {
            try {
                return Optional.of(
                        cipher(Cipher.DECRYPT_MODE, key, nonce, purpose).doFinal(whole, NONCE, whole.length - NONCE));
            } catch (GeneralSecurityException e) {
                // sealed under another key, or not by us
            }
        }
        return Optional.empty();
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, String purpose)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
