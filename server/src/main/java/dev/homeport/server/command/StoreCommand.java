package dev.homeport.server.command;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingFlags;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.logging.Logging;
import dev.homeport.server.storage.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command with the settings of {@code homeport serve}, and with words instead of stack traces. */
abstract class StoreCommand implements Callable<Integer> {
    static final int DONE = 0;
    static final int WRONG = 1;
    static final int REFUSED = 2;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings in YAML; flags and variables win over it.")
    @Nullable
    Path config;

    @Spec
    CommandSpec spec;

    abstract int run(ServerSettings settings, Storage storage) throws IOException;

    @Override
    public Integer call() {
        try {
            SettingSources found = SettingFlags.read(spec.commandLine().getParseResult(), Optional.ofNullable(config));
            ServerSettings settings = ServerSettings.of(found);
            // What there is to say, a command says itself.
            Logging.configure(Logging.Form.TEXT, found.secrets(), OutputStream.nullOutputStream());
            if (settings.store() instanceof ServerSettings.Store.Memory) {
                return refuse("a throw-away store has nothing to look after: unset STORE_BACKEND");
            }
            return run(settings, Storage.of(settings));
        } catch (StoreCorrupt e) {
            err("the store is damaged: " + e.getMessage());
            return WRONG;
        } catch (BadSettings | StoreRefused | StoreUnavailable e) {
            return refuse(e.getMessage());
        } catch (ProblemException e) {
            return refuse(e.problem().toString());
        } catch (IOException | UncheckedIOException e) {
            return refuse("a file cannot be used: " + e.getMessage());
        }
    }

    int refuse(@Nullable String why) {
        err(String.valueOf(why));
        return REFUSED;
    }

    void out(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    void err(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    /** Tells where a long walk is, now and then. */
    void progress(String what, long revision) {
        if (revision % 10_000 == 0) {
            err(what + " revision " + revision);
        }
    }
}
