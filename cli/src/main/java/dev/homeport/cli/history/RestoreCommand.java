package dev.homeport.cli.history;

import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport restore TYPE/NAME --revision N}. */
@Command(
        name = "restore",
        description = "Restore one document from a revision; to undo a whole change use revert.",
        footer = {"", "Example: homeport history cluster/eu-dev-1 && homeport restore cluster/eu-dev-1 --revision 12"})
final class RestoreCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "TYPE NAME", arity = "1..*", description = "A type and a name, or TYPE/NAME.")
    List<String> words;

    @Option(names = "--revision", required = true, paramLabel = "REVISION", description = "As ch-12 or 12.")
    String revision;

    @Override
    public Integer call() {
        List<Reference> named = Reference.all(words, server.client());
        if (named.size() != 1) {
            throw new UsageProblem("restore is for one document: TYPE/NAME");
        }
        String number = revision.startsWith("ch-") ? revision.substring(3) : revision;
        return write.run(
                server, WriteRequest.post(named.getFirst().path() + ":restore").asking("revision", number));
    }
}
