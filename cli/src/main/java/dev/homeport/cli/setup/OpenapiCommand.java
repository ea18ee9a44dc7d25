package dev.homeport.cli.setup;

import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code homeport openapi}. */
@Command(name = "openapi", description = "Print the server's OpenAPI document.")
final class OpenapiCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "json (default) or yaml.")
    String form = "json";

    @Override
    public Integer call() {
        if (!form.equals("json") && !form.equals("yaml")) {
            throw new UsageProblem("-o of openapi is json or yaml");
        }
        server.client().copy("/openapi." + form, server.process().out());
        return ExitCodes.DONE;
    }
}
