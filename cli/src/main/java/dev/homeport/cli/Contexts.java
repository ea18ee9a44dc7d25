package dev.homeport.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The servers that this user knows, in one file that only he can read. */
final class Contexts {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Path file;

    Contexts(Path file) {
        this.file = file;
    }

    /** Where the file is, by the rules of the desktop. */
    static Contexts ofUser() {
        String config = System.getenv("XDG_CONFIG_HOME");
        Path base = config == null || config.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".config")
                : Path.of(config);
        return new Contexts(base.resolve("homeport").resolve("config.yaml"));
    }

    /** One server and how to sign in there. */
    record Context(String name, String server, Optional<String> token) {}

    Optional<Context> find(String name) {
        JsonNode context = read().path("contexts").path(name);
        return context.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Context(
                        name,
                        context.path("server").asString(""),
                        Optional.of(context.path("token").asString("")).filter(token -> !token.isEmpty())));
    }

    Optional<String> current() {
        return Optional.of(read().path("current").asString("")).filter(name -> !name.isEmpty());
    }

    ObjectNode read() {
        try {
            return Files.exists(file) && YAML.readTree(Files.readString(file)) instanceof ObjectNode all
                    ? all
                    : YAML.createObjectNode();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    void put(Context context) {
        ObjectNode all = read();
        ObjectNode contexts = all.get("contexts") instanceof ObjectNode known ? known : all.putObject("contexts");
        ObjectNode entry = contexts.putObject(context.name()).put("server", context.server());
        context.token().ifPresent(token -> entry.put("token", token));
        all.put("current", context.name());
        write(all);
    }

    void use(String name) {
        write(read().put("current", name));
    }

    private void write(ObjectNode all) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(next, YAML.writeValueAsString(all));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }
}
