package dev.homeport.server;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.Setting;
import dev.homeport.server.config.SettingSources;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code homeport serve}: runs until it is told to stop. */
@Command(name = "serve", description = "Runs the server until it is told to stop.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "Settings in YAML; flags and variables win over it.")
    @Nullable
    Path config;

    @Option(names = "--print-config", description = "Print every setting with where it comes from, and stop.")
    boolean printConfig;

    @Spec
    CommandSpec spec;

    /** Every setting is also a flag. */
    static void addFlags(CommandSpec spec) {
        for (Setting setting : Setting.values()) {
            spec.addOption(OptionSpec.builder(setting.flag())
                    .paramLabel("VALUE")
                    .type(String.class)
                    .description(setting.description()
                            + (setting.standard().isEmpty() ? "" : " (standard: " + setting.standard() + ")"))
                    .build());
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            SettingSources found = SettingSources.read(flags(), System.getenv(), Optional.ofNullable(config));
            if (printConfig) {
                print(found);
                return 0;
            }
            return serve(ServerSettings.of(found));
        } catch (BadSettings | StoreRefused | StoreCorrupt | IllegalStateException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return 2;
        }
    }

    private int serve(ServerSettings settings) throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        var out = spec.commandLine().getOut();
        try (RunningServer server = RunningServer.start(settings)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                stop.countDown();
                try {
                    stopped.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            String scheme = settings.tls().isPresent() ? "https" : "http";
            server.admin().ifPresent(address -> out.println("admin plane: " + scheme + "://" + address));
            server.poll().ifPresent(address -> out.println("poll plane:  " + scheme + "://" + address));
            server.firstToken().ifPresent(token -> out.println("admin token (shown this once): " + token));
            debts(settings).forEach(debt -> spec.commandLine().getErr().println("debt: " + debt));
            out.println("ready");
            out.flush();
            stop.await();
        }
        stopped.countDown();
        return 0;
    }

    private static List<String> debts(ServerSettings settings) {
        List<String> debts = new java.util.ArrayList<>();
        settings.compatReadToken()
                .ifPresent(token -> debts.add(
                        "AUTH_TOKEN lets one token read every cluster: give each cluster its own and unset it"));
        settings.compatWriteToken()
                .ifPresent(token ->
                        debts.add("CRUD_AUTH_TOKEN is shared by everybody who writes: give each its own and unset it"));
        boolean open = java.util.stream.Stream.concat(settings.adminListen().stream(), settings.pollListen().stream())
                .anyMatch(address -> !address.isLoopback());
        if (open && settings.tls().isEmpty()) {
            debts.add("plain HTTP on an address that is not loopback: tokens can be read on the way");
        }
        return debts;
    }

    private Map<String, String> flags() {
        Map<String, String> flags = new HashMap<>();
        ParseResult parsed = spec.commandLine().getParseResult();
        for (Setting setting : Setting.values()) {
            if (parsed.hasMatchedOption(setting.flag())) {
                flags.put(setting.flag(), parsed.matchedOptionValue(setting.flag(), ""));
            }
        }
        return flags;
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
