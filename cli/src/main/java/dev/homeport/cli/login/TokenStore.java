package dev.homeport.cli.login;

import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where the tokens of a context are: in the file of contexts, or in the keyring. Then the file has only the number under which
 * the keyring keeps them, which is new with every sign-in: contexts of the same name, in other files, have nothing in common.
 */
public final class TokenStore {
    /** The number, in a context. */
    public static final String SETTING = "keyring";

    private static final String IN_FILE = "in the file of contexts";
    private static final String CHOICE = "HOMEPORT_KEYRING";
    private static final Predicate<String> NUMBER =
            Pattern.compile("[0-9a-f]{32}").asMatchPredicate();

    /** A read that was started early, for its first user. A later one could get an outdated answer. */
    private static final AtomicReference<@Nullable Ahead> AHEAD = new AtomicReference<>();

    private final ProcessEnvironment surroundings;

    /** Of a process, which is one command. */
    private record Ahead(String id, Optional<Subprocess> begun) {
        static final Ahead TOO_LATE = new Ahead("", Optional.empty());
    }

    /**
     * A context as it is written to its file.
     *
     * @param where the place of the tokens, for messages; empty without tokens
     */
    private record Kept(Contexts.Context context, String where) {}

    public TokenStore(ProcessEnvironment surroundings) {
        this.surroundings = surroundings;
    }

    public static boolean inKeyring(Contexts.Context context) {
        return context.setting(SETTING).isPresent();
    }

    /** Begins to read what a command is about to need; says nothing if that fails, because the command will. */
    public static void readAhead(Contexts.Context context, ProcessEnvironment surroundings) {
        Optional<String> id = context.setting(SETTING).filter(NUMBER);
        if (id.isPresent()
                && surroundings.variable("HOMEPORT_TOKEN").isEmpty()
                && surroundings.variable("HOMEPORT_SERVER").isEmpty()) {
            try {
                Optional<Subprocess> begun = Keyring.of(surroundings).map(keyring -> keyring.begin(id.get()));
                if (!AHEAD.compareAndSet(null, new Ahead(id.get(), begun))) {
                    begun.ifPresent(Subprocess::kill);
                }
            } catch (KeyringProblem e) {
                // reported by the command
            }
        }
    }

    /** Called if the token is not needed after all: a keyring that asks for its password can stop asking. */
    public static void endReadAhead() {
        Ahead ahead = AHEAD.getAndSet(Ahead.TOO_LATE);
        if (ahead != null) {
            ahead.begun().ifPresent(Subprocess::kill);
        }
    }

    /** Rejects a choice that is not available before the user signs in. */
    public void check() {
        String choice = surroundings.variable(CHOICE).orElse("");
        if (!choice.isEmpty() && !choice.equals("on") && !choice.equals("off")) {
            throw new UsageProblem(CHOICE + " is " + choice + ": write on or off, or leave it out");
        }
        if (choice.equals("on") && Keyring.of(surroundings).isEmpty()) {
            throw new UsageProblem(CHOICE + " is on, but " + Keyring.missing(surroundings) + ": mend that, or leave "
                    + CHOICE + " out to keep the token in a file");
        }
    }

    /**
     * Puts a context with new tokens into the file and makes it the current one, with the tokens where they belong.
     *
     * @return where that is; empty without tokens
     */
    public String put(Contexts.Context context) {
        if (context.token().isPresent()) {
            check();
        }
        Kept kept = keep(context);
        try {
            forget(Contexts.of(surroundings).put(kept.context()));
        } catch (UsageProblem | UncheckedIOException e) {
            forget(Optional.of(kept.context()));
            throw e;
        }
        return kept.where();
    }

    private Kept keep(Contexts.Context context) {
        if (context.token().isEmpty()) {
            return new Kept(context, "");
        }
        String choice = surroundings.variable(CHOICE).orElse("");
        Optional<Keyring> keyring = choice.equals("off") ? Optional.empty() : Keyring.of(surroundings);
        if (keyring.isEmpty()) {
            return new Kept(context, IN_FILE);
        }
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String id = HexFormat.of().formatHex(random);
        try {
            store(keyring.get(), id, context);
            return new Kept(ProviderTokens.forgotten(context).with(SETTING, id), "in the keyring");
        } catch (KeyringProblem e) {
            if (choice.equals("on")) {
                throw new UsageProblem("the keyring does not take the token (" + e.getMessage()
                        + "): unlock it, or leave " + CHOICE + " out to keep the token in a file");
            }
            return new Kept(context, IN_FILE + ", because the keyring does not take it (" + e.getMessage() + ")");
        }
    }

    /** Keeps what was renewed where it was. */
    public void keepRenewed(Contexts.Context context, Contexts contexts) {
        Optional<String> id = context.setting(SETTING);
        if (id.isEmpty()) {
            contexts.replace(context);
            return;
        }
        try {
            store(Keyring.of(surroundings).orElseThrow(() -> new KeyringProblem("it is gone")), id.get(), context);
        } catch (KeyringProblem e) {
            // The provider may take the token before for nothing any more.
            contexts.replace(context.with(SETTING, ""));
            surroundings
                    .err()
                    .println("warning: the keyring does not take the renewed token (" + e.getMessage() + "); it is in "
                            + contexts.file() + " now, which only you can read");
            forget(Optional.of(context));
        }
    }

    private static void store(Keyring keyring, String id, Contexts.Context context) {
        ObjectNode secret = JsonMapper.shared().createObjectNode();
        secret.put("server", context.server());
        ProviderTokens.SETTINGS.stream()
                .sorted()
                .forEach(key -> context.setting(key).ifPresent(value -> secret.put(key, value)));
        keyring.store(
                id,
                "Homeport: " + context.name() + " at " + context.server(),
                // Whatever the locale, this much every program passes on as it is.
                JsonMapper.shared()
                        .writer()
                        .with(JsonWriteFeature.ESCAPE_NON_ASCII)
                        .writeValueAsString(secret));
    }

    /** The context with its tokens, wherever they are. */
    public Contexts.Context opened(Contexts.Context context) {
        Optional<String> id = context.setting(SETTING);
        if (id.isEmpty()) {
            return context;
        }
        String whose = "the token of context " + context.name();
        Keyring keyring = Keyring.of(surroundings)
                .orElseThrow(() -> needed(whose + " is in a keyring, and here " + Keyring.missing(surroundings)
                        + ": set HOMEPORT_TOKEN, or sign in again: " + context.loginCommand()));
        Optional<String> found;
        try {
            found = id.filter(NUMBER).flatMap(number -> read(keyring, number));
        } catch (KeyringProblem e) {
            throw needed(whose + " is in the keyring, and that cannot be read (" + e.getMessage()
                    + "): unlock it, set HOMEPORT_TOKEN, or sign in again: HOMEPORT_KEYRING=off "
                    + context.loginCommand());
        }
        if (found.isEmpty()) {
            // The user may have signed in again since the file was read.
            Optional<Contexts.Context> now = Contexts.of(surroundings).find(context.name());
            if (now.isPresent() && !now.get().setting(SETTING).equals(id)) {
                return opened(now.get());
            }
        }
        String secret = found.orElseThrow(
                () -> needed(whose + " is not in the keyring any more; sign in again: " + context.loginCommand()));
        Contexts.Context opened = context;
        try {
            JsonNode all = JsonMapper.shared().readTree(secret);
            // A user who can write the file must not be able to send the token elsewhere.
            if (all.path("server").asString("").equals(context.server())) {
                for (String key : ProviderTokens.SETTINGS) {
                    opened = opened.with(key, all.path(key).asString(""));
                }
            }
        } catch (JacksonException e) {
            // as if it were for another server
        }
        if (opened.token().isEmpty()) {
            throw needed("what the keyring has for context " + context.name() + " is not a token for "
                    + context.server() + "; sign in again: " + context.loginCommand());
        }
        return opened;
    }

    private static Optional<String> read(Keyring keyring, String id) {
        Ahead ahead = AHEAD.getAndSet(Ahead.TOO_LATE);
        return ahead != null && ahead.id().equals(id) && ahead.begun().isPresent()
                ? keyring.answer(id, ahead.begun().get())
                : keyring.lookup(id);
    }

    /** After a context has gone from the file or has got other tokens. False, with a warning, if something stays behind. */
    public boolean forget(Optional<Contexts.Context> before) {
        Optional<String> id =
                before.flatMap(context -> context.setting(SETTING)).filter(NUMBER);
        if (id.isEmpty()) {
            return true;
        }
        try {
            Keyring.of(surroundings)
                    .orElseThrow(() -> new KeyringProblem(Keyring.missing(surroundings)))
                    .clear(id.get());
            return true;
        } catch (KeyringProblem e) {
            surroundings
                    .err()
                    .println("warning: the old token is still in the keyring ("
                            + SafeText.line(String.valueOf(e.getMessage())) + "); remove it with: "
                            + Keyring.clearing(id.get()));
            return false;
        }
    }

    private static ExitException needed(String message) {
        return new ExitException(ExitCodes.LOGIN_NEEDED, message);
    }
}
