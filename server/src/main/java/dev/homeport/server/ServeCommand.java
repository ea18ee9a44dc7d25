package dev.homeport.server;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.Setting;
import dev.homeport.server.config.SettingFlags;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.logging.Logging;
import dev.homeport.server.storage.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code homeport serve}: runs until it is stopped. */
@Command(name = "serve", description = "Run the server until it is stopped.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    private static final Duration STOP = Duration.ofSeconds(30);

    @Option(names = "--config", paramLabel = "FILE", description = "Settings in YAML; flags and variables win over it.")
    @Nullable
    Path config;

    @Option(names = "--print-config", description = "Print every setting with where it comes from, and stop.")
    boolean printConfig;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try {
            SettingSources found = SettingFlags.read(spec.commandLine().getParseResult(), Optional.ofNullable(config));
            if (printConfig) {
                print(found);
                return 0;
            }
            ServerSettings settings = ServerSettings.of(found);
            List<String> secrets = new ArrayList<>(found.secrets());
            settings.signIn()
                    .people()
                    .flatMap(people -> people.client().secret())
                    .ifPresent(secrets::add);
            Logging.configure(settings.jsonLogs() ? Logging.Form.JSON : Logging.Form.TEXT, secrets, System.err);
            return serve(settings);
        } catch (BadSettings | StoreRefused | StoreCorrupt | IllegalStateException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return 2;
        } catch (StoreUnavailable e) {
            spec.commandLine().getErr().println(e.getMessage());
            return 1;
        }
    }

    private int serve(ServerSettings settings) throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        var out = spec.commandLine().getOut();
        try (RunningServer server = RunningServer.start(settings)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndLeave(stop, stopped)));
            String scheme = settings.tls().isPresent() ? "https" : "http";
            server.admin().ifPresent(address -> out.println("admin plane: " + scheme + "://" + address));
            server.poll().ifPresent(address -> out.println("poll plane:  " + scheme + "://" + address));
            server.firstToken().ifPresent(token -> out.println("admin token (shown this once): " + token));
            debts(settings).forEach(debt -> spec.commandLine().getErr().println("debt: " + debt));
            out.println("ready");
            out.flush();
            stop.await();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** A signal that stops the server is not an error, so the exit code is 0 and not the signal's. */
    private static void stopAndLeave(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            if (stopped.await(STOP.toSeconds(), TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> debts(ServerSettings settings) {
        List<String> debts = new ArrayList<>();
        settings.compatReadToken()
                .ifPresent(token -> debts.add(
                        "AUTH_TOKEN lets one token read every cluster: give each cluster its own and unset it"));
        settings.compatWriteToken()
                .ifPresent(token -> debts.add(
                        "CRUD_AUTH_TOKEN is shared by all clients that write: give each its own token and unset it"));
        boolean open = java.util.stream.Stream.concat(settings.adminListen().stream(), settings.pollListen().stream())
                .anyMatch(address -> !address.isLoopback());
        if (open && settings.tls().isEmpty()) {
            debts.add("plain HTTP on an address that is not loopback: tokens can be read on the way");
        }
        Storage.weakness(settings).ifPresent(debts::add);
        return debts;
    }

    private void print(SettingSources found) {
        for (Setting setting : Setting.values()) {
            SettingSources.Found value = found.get(setting);
            boolean hidden = setting.isSecret() && !value.value().isEmpty();
            spec.commandLine()
                    .getOut()
                    .println(setting.key() + ": " + (hidden ? "(set)" : "\"" + value.value() + "\"") + "   # "
                            + value.source());
        }
    }
}
