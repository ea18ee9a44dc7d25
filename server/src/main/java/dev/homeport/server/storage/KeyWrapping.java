package dev.homeport.server.storage;

import dev.homeport.change.StoreRefused;
import dev.homeport.server.config.ServerSettings.KeyAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Version 2 of the master key's file: the lines of version 1, encrypted with AES-256-GCM. The key for that comes from a
 * passphrase by PBKDF2, or from a program, such as a plugin of a KMS, that wraps and unwraps it. The header is authenticated, so
 * that the iterations cannot be lowered.
 */
final class KeyWrapping {
    static final String HEADER = "homeport-master-key 2";

    private static final int ITERATIONS = 600_000;
    private static final int MOST_ITERATIONS = 20_000_000;
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int SHORTEST_PASSPHRASE = 12;
    private static final int MOST_OUTPUT = 64 * 1024;
    private static final int PATIENCE_SECONDS = 30;

    private final Path file;
    private final KeyAccess access;
    private final SecureRandom random = new SecureRandom();

    KeyWrapping(Path file, KeyAccess access) {
        this.file = file;
        this.access = access;
    }

    static boolean isWrapped(String text) {
        return text.startsWith(HEADER + "\n");
    }

    /** Whether there is anything to wrap with. */
    static boolean isPossible(KeyAccess access) {
        return access.passphraseFile().isPresent() || !access.command().isEmpty();
    }

    String wrap(String plain) {
        Map<String, String> fields = new TreeMap<>();
        byte[] key;
        if (access.command().isEmpty()) {
            byte[] salt = bytes(16);
            fields.put("wrapping", "passphrase");
            fields.put("iterations", Integer.toString(ITERATIONS));
            fields.put("salt", HexFormat.of().formatHex(salt));
            key = derived(salt, ITERATIONS);
        } else {
            key = bytes(KEY_BYTES);
            byte[] wrapped = run("wrap", Base64.getEncoder().encode(key));
            if (wrapped.length == 0) {
                throw refused("the program gave nothing back for the key to wrap");
            }
            fields.put("wrapping", "command");
            fields.put("wrapped_key", Base64.getEncoder().encodeToString(wrapped));
        }
        byte[] nonce = bytes(NONCE_BYTES);
        fields.put("nonce", HexFormat.of().formatHex(nonce));
        String header = header(fields);
        byte[] data = crypt(Cipher.ENCRYPT_MODE, key, nonce, header, plain.getBytes(StandardCharsets.UTF_8));
        return header + "data: " + Base64.getEncoder().encodeToString(data) + "\n";
    }

    String unwrap(String text) {
        Map<String, String> fields = fields(text);
        String data = fields.remove("data");
        try {
            byte[] key = switch (fields.getOrDefault("wrapping", "")) {
                case "passphrase" ->
                    derived(HexFormat.of().parseHex(field(fields, "salt")), iterations(field(fields, "iterations")));
                case "command" -> byCommand(Base64.getDecoder().decode(field(fields, "wrapped_key")));
                default -> throw refused("it is wrapped in a way that this version does not know");
            };
            byte[] nonce = HexFormat.of().parseHex(field(fields, "nonce"));
            byte[] plain = crypt(
                    Cipher.DECRYPT_MODE,
                    key,
                    nonce,
                    header(fields),
                    Base64.getDecoder().decode(String.valueOf(data)));
            return new String(plain, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused("the file is damaged; put it back from where it is kept");
        }
    }

    private byte[] byCommand(byte[] wrapped) {
        if (access.command().isEmpty()) {
            throw refused("it is wrapped by a program: set master_key_command to it");
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(new String(run("unwrap", wrapped), StandardCharsets.US_ASCII).strip());
        } catch (IllegalArgumentException e) {
            throw refused("the program's output is not a key in Base64");
        }
        if (key.length != KEY_BYTES) {
            throw refused("the program's output is not a key of " + KEY_BYTES + " bytes in Base64");
        }
        return key;
    }

    private byte[] derived(byte[] salt, int iterations) {
        String passphrase = passphrase();
        try {
            PBEKeySpec spec = new PBEKeySpec(passphrase.toCharArray(), salt, iterations, KEY_BYTES * 8);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private String passphrase() {
        Path source = access.passphraseFile()
                .orElseThrow(() ->
                        refused("it is wrapped by a passphrase: set master_key_passphrase_file to a file with it"));
        try {
            String passphrase = Files.readString(source).strip();
            if (passphrase.length() < SHORTEST_PASSPHRASE) {
                throw refused(
                        "the passphrase in " + source + " is shorter than " + SHORTEST_PASSPHRASE + " characters");
            }
            return passphrase;
        } catch (IOException e) {
            throw refused("the passphrase's file " + source + " cannot be read: " + e.getMessage());
        }
    }

    private int iterations(String text) {
        int count = Integer.parseInt(text);
        if (count < ITERATIONS || count > MOST_ITERATIONS) {
            throw refused("its iterations are not between " + ITERATIONS + " and " + MOST_ITERATIONS);
        }
        return count;
    }

    private byte[] crypt(int mode, byte[] key, byte[] nonce, String header, byte[] data) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(header.getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(data);
        } catch (AEADBadTagException e) {
            throw refused("the passphrase or the program's key is not the right one, or the file was changed");
        } catch (GeneralSecurityException e) {
            throw refused("it cannot be decrypted: " + e.getMessage());
        }
    }

    /** No shell: the program with its arguments, and {@code wrap} or {@code unwrap} after them. */
    private byte[] run(String verb, byte[] input) {
        List<String> command = new java.util.ArrayList<>(access.command());
        command.add(verb);
        String name = command.getFirst();
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw refused("the program " + name + " cannot be started: " + e.getMessage());
        }
        FutureTask<byte[]> output = new FutureTask<>(() -> {
            try (var in = process.getOutputStream()) {
                in.write(input);
            } catch (IOException e) {
                // a program that ends without reading: its exit code says more
            }
            return process.getInputStream().readNBytes(MOST_OUTPUT + 1);
        });
        Thread.ofVirtual().start(output);
        try {
            byte[] given = output.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new TimeoutException();
            }
            if (process.exitValue() != 0 || given.length > MOST_OUTPUT) {
                throw refused("`" + name + " … " + verb + "` ended with exit code " + process.exitValue()
                        + (given.length > MOST_OUTPUT ? " and too much output" : ""));
            }
            return given;
        } catch (TimeoutException e) {
            throw refused("`" + name + " … " + verb + "` did not end within " + PATIENCE_SECONDS + " seconds");
        } catch (ExecutionException e) {
            throw refused("`" + name + " … " + verb + "` failed: " + String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused("interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String header(Map<String, String> fields) {
        StringBuilder out = new StringBuilder(HEADER).append('\n');
        fields.forEach(
                (name, value) -> out.append(name).append(": ").append(value).append('\n'));
        return out.toString();
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new TreeMap<>();
        text.lines().skip(1).filter(line -> !line.isBlank()).forEach(line -> {
            int colon = line.indexOf(": ");
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 2));
            }
        });
        return fields;
    }

    private String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw refused("the file is damaged: it has no " + name);
        }
        return value;
    }

    private StoreRefused refused(String why) {
        return new StoreRefused("the master key " + file + " cannot be used: " + why);
    }
}
