package dev.homeport.api;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One part of a PEM file. */
record PemBlock(String label, String text) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    static List<PemBlock> all(String file) {
        List<PemBlock> all = new ArrayList<>();
        for (Matcher matcher = BLOCK.matcher(file); matcher.find(); ) {
            all.add(new PemBlock(matcher.group(1), matcher.group(2)));
        }
        return all;
    }

    /** PKCS#8 says so in its label, older forms in a header. */
    boolean isEncrypted() {
        return label.startsWith("ENCRYPTED ") || text.contains("Proc-Type:");
    }

    /** @throws IllegalArgumentException when it is not base64 */
    byte[] content() {
        return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    }
}
