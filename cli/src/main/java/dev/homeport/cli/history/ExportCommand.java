package dev.homeport.cli.history;

import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code homeport export}. */
@Command(
        name = "export",
        description = "Print the desired state of the whole fleet; equal states give equal bytes.",
        footer = {"", "Example: homeport export > fleet.yaml && homeport import -f fleet.yaml --dry-run"})
final class ExportCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "yaml (default) or json.")
    String form = "yaml";

    @Option(names = "--tokens", description = "Include stored tokens (hashes); admins only.")
    boolean tokens;

    @Option(names = "--as-of", paramLabel = "REVISION|TIME", description = "As it was then.")
    @Nullable
    String asOf;

    @Override
    public Integer call() {
        server.client()
                .copy(
                        new Paths("/api/v2/export")
                                .with("format", form)
                                .with("as_of", asOf)
                                .flag("tokens", tokens)
                                .toString(),
                        server.process().out());
        return ExitCodes.DONE;
    }
}
