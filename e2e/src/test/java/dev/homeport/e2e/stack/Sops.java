package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A key of age's, and files that SOPS has encrypted for it. */
public final class Sops {
    private final Path folder;

    private Sops(Path folder) {
        this.folder = folder;
    }

    public static Sops withNewKey() {
        Sops sops = new Sops(Folders.made(Folders.RUN.resolve("sops")));
        sops.run(Folders.program("age-keygen"), "-o", sops.keyFile().toString());
        return sops;
    }

    private Path keyFile() {
        return folder.resolve("key.txt");
    }

    /** What decrypts, as it stands in a Secret for Flux. */
    public String key() {
        return read(keyFile());
    }

    /** A manifest with its data encrypted. */
    public String encrypted(String manifest) {
        Path file = folder.resolve("manifest.yaml");
        try {
            Files.writeString(file, manifest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String recipient = key().lines()
                .filter(line -> line.startsWith("# public key: "))
                .map(line -> line.substring("# public key: ".length()))
                .findFirst()
                .orElseThrow();
        return run(
                Folders.program("sops"),
                "encrypt",
                "--age",
                recipient,
                "--encrypted-regex",
                "^(data|stringData)$",
                file.toString());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String run(String... command) {
        Path log = folder.resolve("sops.log");
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed: " + read(log));
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
