package dev.homeport.cli.login;

import dev.homeport.api.FileTrouble;
import dev.homeport.api.PrivateFile;
import dev.homeport.cli.output.PlainYaml;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The servers that this user knows, in one file that only the user can read. */
public final class Contexts {
    private static final int MOST_LETTERS = 200;

    private final Path file;

    public Contexts(Path file) {
        this.file = file;
    }

    public static Contexts of(ProcessEnvironment process) {
        return new Contexts(process.configFolder().resolve("config.yaml"));
    }

    /** One server, how to sign in there, and what holds there unless a flag says otherwise. */
    public record Context(String name, Map<String, String> settings) {
        public static final Set<String> SETTINGS =
                Set.of("server", "ca", "client_certificate", "client_key", "workspace", "output", "confirm_over");

        /** Those whose value is a file: they are kept with their whole path. */
        public static final Set<String> FILES = Set.of("ca", "client_certificate", "client_key");

        public Context {
            settings = Map.copyOf(settings);
        }

        public static Context of(String name, String server) {
            return new Context(name, Map.of("server", server));
        }

        public Optional<String> setting(String key) {
            return Optional.ofNullable(settings.get(key)).filter(value -> !value.isEmpty());
        }

        public String server() {
            return setting("server").orElse("");
        }

        public Optional<String> token() {
            return setting("token");
        }

        public boolean isSignedIn() {
            return token().isPresent() || TokenStore.inKeyring(this);
        }

        /** The command to sign in again. */
        public String loginCommand() {
            boolean named = !server().contains("://" + name + ":") && !server().endsWith("://" + name);
            return "homeport login " + server() + (named ? " --name '" + name.replace("'", "'\\''") + "'" : "");
        }

        /** An empty value takes the setting away. */
        public Context with(String key, String value) {
            Map<String, String> changed = new LinkedHashMap<>(settings);
            if (value.isEmpty()) {
                changed.remove(key);
            } else {
                changed.put(key, value);
            }
            return new Context(name, changed);
        }
    }

    public Path file() {
        return file;
    }

    public Optional<Context> find(String name) {
        return Optional.ofNullable(all().get(name));
    }

    public Context get(String name) {
        return find(name)
                .orElseThrow(() -> new UsageProblem("there is no context " + name
                        + (all().isEmpty() ? "" : "; there are " + String.join(", ", all().keySet()))));
    }

    public Optional<String> current() {
        return Optional.of(read().path("current").asString("")).filter(name -> !name.isEmpty());
    }

    /** By name, in the order of the file. */
    public Map<String, Context> all() {
        Map<String, Context> all = new LinkedHashMap<>();
        read().path("contexts").forEachEntry((name, entry) -> {
            Map<String, String> settings = new LinkedHashMap<>();
            entry.forEachEntry((key, value) -> settings.put(key, value.asString("")));
            all.put(name, new Context(name, settings));
        });
        return all;
    }

    private JsonNode read() {
        try {
            if (!Files.exists(file)) {
                return JsonMapper.shared().createObjectNode();
            }
            String text = Files.readString(file);
            Optional<ObjectNode> plain = PlainYaml.read(text);
            return checked(plain.isPresent() ? plain.get() : YamlText.read(text));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + FileTrouble.why(e), e);
        } catch (JacksonException e) {
            throw new UsageProblem(
                    file + " is not YAML: " + e.getOriginalMessage() + "; mend it, or remove it and sign in again");
        }
    }

    /** A file that we could not have written must not be overwritten. */
    private JsonNode checked(JsonNode all) {
        if (all.isMissingNode() || all.isNull()) {
            return JsonMapper.shared().createObjectNode();
        }
        JsonNode contexts = all.path("contexts");
        boolean sound = all.isObject()
                && (contexts.isMissingNode() || contexts.isNull() || contexts.isObject())
                && contexts.valueStream().allMatch(JsonNode::isObject);
        if (!sound) {
            throw new UsageProblem(
                    file + " does not have contexts as this program writes them; mend it, or remove it and"
                            + " sign in again");
        }
        return all;
    }

    /** A name that can be shown and typed. */
    public static String name(String given) {
        if (given.isBlank() || !given.equals(SafeText.line(given)) || given.length() > MOST_LETTERS) {
            throw new UsageProblem(
                    "a context's name is one line of at most " + MOST_LETTERS + " letters, and not empty");
        }
        return given;
    }

    /** Keeps other commands from changing the file meanwhile. */
    public FileMutex turn() {
        return FileMutex.take(file.resolveSibling("login.lock"));
    }

    /** Adds or replaces a context and makes it the current one. Gives the one before, whose tokens may have to go. */
    public Optional<Context> put(Context context) {
        return change(context.name(), all -> write(all, context).put("current", context.name()));
    }

    /** Replaces a context and leaves the current one as it is. */
    public Optional<Context> replace(Context context) {
        return change(context.name(), all -> write(all, context));
    }

    public void use(String name) {
        change(name, all -> all.put("current", name));
    }

    public Optional<Context> remove(String name) {
        return change(name, all -> {
            contexts(all).remove(name);
            if (all.path("current").asString("").equals(name)) {
                all.remove("current");
            }
            return all;
        });
    }

    private static ObjectNode write(ObjectNode all, Context context) {
        ObjectNode entry = contexts(all).putObject(context.name());
        context.settings().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(setting -> entry.put(setting.getKey(), setting.getValue()));
        return all;
    }

    private static ObjectNode contexts(ObjectNode all) {
        return all.get("contexts") instanceof ObjectNode known ? known : all.putObject("contexts");
    }

    private Optional<Context> change(String name, UnaryOperator<ObjectNode> edit) {
        try (var _ = turn()) {
            Optional<Context> before = find(name);
            ObjectNode all = read() instanceof ObjectNode known
                    ? known
                    : JsonMapper.shared().createObjectNode();
            PrivateFile.write(file, YamlText.write(edit.apply(all)));
            return before;
        }
    }

    /** Whether others than its owner can read the file, which may hold tokens. */
    public boolean isOpenToOthers() {
        try {
            return Files.exists(file)
                    && Files.getPosixFilePermissions(file).stream()
                            .anyMatch(permission -> permission != PosixFilePermission.OWNER_READ
                                    && permission != PosixFilePermission.OWNER_WRITE
                                    && permission != PosixFilePermission.OWNER_EXECUTE);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
