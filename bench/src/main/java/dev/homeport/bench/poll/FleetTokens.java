package dev.homeport.bench.poll;

import dev.homeport.access.TokenText;
import dev.homeport.bench.core.SampleFleet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

/** The token of each cluster of the sample fleet. They follow from the number, so that every process knows them. */
final class FleetTokens {
    private FleetTokens() {}

    static TokenText token(int number) {
        byte[] id = Arrays.copyOf(hash("id " + number), TokenText.ID_BYTES);
        byte[] secret = Arrays.copyOf(hash("secret " + number), TokenText.SECRET_BYTES);
        return TokenText.mint(TokenText.Kind.CLUSTER, id, secret);
    }

    /** For reading the server's own figures. */
    static TokenText admin() {
        byte[] id = Arrays.copyOf(hash("id admin"), TokenText.ID_BYTES);
        return TokenText.mint(TokenText.Kind.PERSON, id, Arrays.copyOf(hash("secret admin"), TokenText.SECRET_BYTES));
    }

    /** A file in {@code folder} with the token of {@link #admin}, for the server to read. */
    static String adminFile(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("admin-token");
        Files.writeString(file, admin().reveal());
        return file.toString();
    }

    static String path(int number) {
        return path(number, "platform-components");
    }

    static String path(int number, String plural) {
        return "/api/v2/flux/clusters/" + SampleFleet.clusterId(number) + ".k8s.example.com/" + plural;
    }

    private static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
