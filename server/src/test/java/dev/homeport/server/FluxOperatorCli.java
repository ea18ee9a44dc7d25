package dev.homeport.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Flux Operator's own renderer: what it makes of a ResourceSet and inputs, the operator makes on a cluster. */
public final class FluxOperatorCli {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Path binary;
    private final Path folder;

    private FluxOperatorCli(Path binary, Path folder) {
        this.binary = binary;
        this.folder = folder;
    }

    /** What came of a build. */
    public record Built(int exit, List<JsonNode> objects, String error) {}

    public static FluxOperatorCli in(Path folder) {
        return new FluxOperatorCli(binary("flux-operator-cli"), folder);
    }

    /** Skips the test where the binary was never built. {@code ./check} builds all that are named here before it runs the tests. */
    public static Path binary(String name) {
        Path cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(home -> !home.isEmpty())
                .map(Path::of)
                .orElse(Path.of(System.getProperty("user.home"), ".cache"));
        Path binary = cache.resolve("homeport/e2e/bin").resolve(name);
        Assumptions.assumeTrue(
                Files.isExecutable(binary), "needs " + binary + ", which ./e2e/build " + name + " builds");
        return binary;
    }

    /** A set that has its inputs in itself. */
    public List<JsonNode> build(JsonNode set) {
        return succeeded(run(List.of("-f", file("set.json", set.toString()))));
    }

    /** @param inputs the list that a provider would have exported */
    public List<JsonNode> build(JsonNode set, JsonNode inputs) {
        return succeeded(tryBuild(set, inputs));
    }

    public Built tryBuild(JsonNode set, JsonNode inputs) {
        return run(List.of(
                "-f", file("set.json", set.toString()), "--inputs-from", file("inputs.json", inputs.toString())));
    }

    private static List<JsonNode> succeeded(Built built) {
        if (built.exit() != 0) {
            throw new AssertionError("flux-operator does not build this: " + built.error());
        }
        return built.objects();
    }

    private Built run(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(binary.toString(), "build", "resourceset"));
        command.addAll(arguments);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("flux-operator does not end");
            }
            return new Built(process.exitValue(), documents(readable(Files.readString(out))), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Go's YAML has short forms of two characters that ours does not read. */
    public static String readable(String yaml) {
        return yaml.replaceAll("(?<!\\\\)((?:\\\\\\\\)*)\\\\L", "$1\\\\u2028")
                .replaceAll("(?<!\\\\)((?:\\\\\\\\)*)\\\\P", "$1\\\\u2029");
    }

    public static List<JsonNode> documents(String yaml) {
        List<JsonNode> all = new ArrayList<>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (document.isObject()) {
                    all.add(document);
                }
            }
        }
        return all;
    }

    private String file(String name, String content) {
        try {
            // As YAML, which the file is read as, the raw separators would swallow what follows them.
            String safe = content.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
            return Files.writeString(folder.resolve(name), safe, StandardCharsets.UTF_8)
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
