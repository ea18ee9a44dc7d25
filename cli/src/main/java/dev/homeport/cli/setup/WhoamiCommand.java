package dev.homeport.cli.setup;

import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.SafeText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code homeport whoami}. */
@Command(name = "whoami", description = "Show your identity and rights on the server.")
final class WhoamiCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Override
    public Integer call() {
        JsonNode me = server.client().get("/api/v2/me").body();
        if (output.isObject()) {
            output.printObject(me);
        } else {
            me.forEachEntry((name, value) -> server.process()
                    .out()
                    .println(SafeText.line(
                            name + "  " + (value.isContainer() ? value.toString() : value.asString("")))));
        }
        return ExitCodes.DONE;
    }
}
