package dev.homeport.cli.change;

import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code homeport unfreeze NAME}. */
@Command(name = "unfreeze", description = "Lift a freeze.")
final class UnfreezeCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "NAME", description = "The freeze.")
    String name;

    @Override
    public Integer call() {
        return write.run(
                server,
                new WriteRequest("DELETE", "/api/v2/freezes/" + Paths.encoded(name), Map.of(), Optional.empty())
                        .with("If-Match", Optional.of("*")));
    }
}
