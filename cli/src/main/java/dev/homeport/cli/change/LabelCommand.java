package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.select.Targets;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport label TYPE NAME… KEY=VALUE KEY-}. */
@Command(
        name = "label",
        description = "Set (KEY=VALUE) and remove (KEY-) labels.",
        footer = {
            "",
            "Examples:",
            "  homeport label cluster eu-dev-1 region=eu-west-1 old-",
            "  homeport label clusters -l env=dev tier=canary"
        })
final class LabelCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    SelectOptions selection;

    @Parameters(
            paramLabel = "TYPE [NAME…] KEY=VALUE|KEY-…",
            arity = "1..*",
            description = "A type and names, or TYPE/NAME; then labels.")
    List<String> words;

    @Option(names = "--if-match", paramLabel = "ETAG", description = "Only if the document is still this version.")
    @Nullable
    String ifMatch;

    @Override
    public Integer call() {
        List<String> names = new ArrayList<>();
        ObjectNode labels = JsonMapper.shared().createObjectNode();
        for (String word : words) {
            if (word.indexOf('=') > 0) {
                labels.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
            } else if (word.endsWith("-") && word.length() > 1) {
                labels.putNull(word.substring(0, word.length() - 1));
            } else if (labels.isEmpty()) {
                names.add(word);
            } else {
                throw new UsageProblem(word + " is neither KEY=VALUE nor KEY-");
            }
        }
        if (labels.isEmpty() || names.isEmpty()) {
            throw new UsageProblem("say which documents and which labels: TYPE NAME KEY=VALUE");
        }
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        patch.set("labels", labels);
        HomeportClient client = server.client();
        if (ifMatch != null) {
            return one(Reference.all(names, client), patch, ifMatch);
        }
        ArrayNode operations = Targets.of(names, selection, server, client).operations("merge");
        operations.forEach(operation -> ((ObjectNode) operation).set("patch", patch));
        return write.run(server, WriteRequest.change(operations));
    }

    private int one(List<Reference> named, ObjectNode patch, String version) {
        if (named.size() != 1 || !selection.isEmpty()) {
            throw new UsageProblem("--if-match is for one document: name it as TYPE/NAME");
        }
        return write.run(server, WriteRequest.patch(named.getFirst(), patch).with("If-Match", Optional.of(version)));
    }
}
