package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;

/** {@code homeport unpin COMPONENT -l env=dev}. */
@Command(name = "unpin", description = "Remove a component's overrides, so that the layers below apply.")
final class UnpinCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    AssignOptions where;

    @Parameters(paramLabel = "COMPONENT", description = "The component.")
    String component;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        ArrayNode operations =
                Overrides.drop(where.targets(server, client).documents(client), component, reference -> true);
        if (operations.isEmpty()) {
            throw new ExitException(ExitCodes.FAILED, "nothing there overrides " + component);
        }
        return write.run(server, WriteRequest.change(operations));
    }
}
