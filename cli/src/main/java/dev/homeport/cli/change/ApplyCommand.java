package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.Prompt;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.Placed;
import dev.homeport.cli.write.PlanText;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** {@code homeport apply -f FILE|DIR|-}: everything in it, in one commit or not at all. */
@Command(
        name = "apply",
        description = "Create or update documents from files, atomically.",
        footer = {
            "",
            "With --prune, documents of the types in the files that are not in the files are removed;",
            "clusters are decommissioned. A selection narrows what may be removed.",
            "",
            "Examples:",
            "  homeport apply -f fleet/ --reason OBS-31",
            "  homeport apply -f fleet/ --prune -l env=dev --dry-run"
        })
final class ApplyCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    SelectOptions selection;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE|DIR|-",
            description = "YAML or JSON, several documents.")
    List<String> files;

    @Option(
            names = "--prune",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Remove documents that are no longer in the files.")
    boolean prune;

    @Override
    public Integer call() {
        if (!prune && !selection.isEmpty()) {
            throw new UsageProblem("a selection says what --prune may remove; without --prune it means nothing");
        }
        List<DocumentFiles.Entry> entries = new DocumentFiles(server.process()).read(files);
        HomeportClient client = server.client();
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        for (DocumentFiles.Entry entry : entries) {
            operations
                    .addObject()
                    .put("op", "put")
                    .put("type", entry.type())
                    .put("id", entry.id())
                    .set("spec", entry.spec());
        }
        if (prune) {
            List<Reference> gone = Leftovers.of(entries, client, selection, server);
            confirm(gone);
            gone.forEach(one -> operations
                    .addObject()
                    .put("op", "delete")
                    .put("type", one.kind().name())
                    .put("id", one.id()));
        }
        return Placed.at(entries, () -> write.run(server, WriteRequest.change(operations)));
    }

    private void confirm(List<Reference> gone) {
        if (gone.isEmpty()) {
            return;
        }
        var err = server.process().err();
        err.println(PlanText.count(gone.size(), "document") + " to remove, because the files do not have them:");
        gone.stream().limit(20).forEach(one -> err.println("- " + SafeText.line(one.toString())));
        if (gone.size() > 20) {
            err.println("  and " + (gone.size() - 20) + " more");
        }
        if (write.dryRun || write.yes || write.confirm != null) {
            return;
        }
        if (!write.mayAsk()) {
            throw new UsageProblem("--prune removes " + PlanText.count(gone.size(), "document")
                    + ": look at them, then repeat with --yes");
        }
        if (!new Prompt(server.process())
                .ask("Type " + gone.size() + " to remove them: ")
                .equals(Optional.of(Integer.toString(gone.size())))) {
            throw new ExitException(ExitCodes.FAILED, "not confirmed; nothing was changed");
        }
    }
}
