package dev.homeport.cli.history;

import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code homeport revert ch-N}. */
@Command(
        name = "revert",
        description = "Revert a change with a new one; later edits of the same fields are conflicts.",
        footer = {"", "Example: homeport revert ch-20418 --dry-run"})
final class RevertCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "CHANGE", description = "As ch-12 or 12.")
    String change;

    @Override
    public Integer call() {
        return write.run(server, WriteRequest.post("/api/v2/changes/" + Paths.encoded(change) + ":revert"));
    }
}
