package dev.homeport.cli.setup;

import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code homeport metrics}. */
@Command(name = "metrics", description = "Print the server's metrics in Prometheus format.")
final class MetricsCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Override
    public Integer call() {
        server.client().copy("/metrics", server.process().out());
        return ExitCodes.DONE;
    }
}
