package dev.homeport.e2e.stack;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Keys and certificates as text. */
public final class Pem {
    private Pem() {}

    public static String certificate(byte[] der) {
        return text("CERTIFICATE", der);
    }

    public static String key(byte[] der) {
        return text("PRIVATE KEY", der);
    }

    public static String publicKey(byte[] der) {
        return text("PUBLIC KEY", der);
    }

    private static String text(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}
