package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport patch TYPE/NAME -p '{…}'}. */
@Command(
        name = "patch",
        description = "Patch a document: a merge patch of its spec, or with a list a JSON patch.",
        footer = {
            "",
            "Examples:",
            "  homeport patch cluster/eu-dev-1 -p '{\"owner\": \"team-a\"}'",
            "  homeport patch cluster/eu-dev-1 -p '[{\"op\": \"remove\", \"path\": \"/spec/labels/old\"}]'"
        })
final class PatchCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "TYPE NAME", arity = "1..*", description = "A type and a name, or TYPE/NAME.")
    List<String> words;

    @Option(
            names = {"-p", "--patch"},
            paramLabel = "JSON",
            description = "An object: merge patch of the spec. A list: JSON patch of the document.")
    @Nullable
    String patch;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE|-",
            description = "The patch in a file, YAML or JSON.")
    @Nullable
    String file;

    @Option(names = "--if-match", paramLabel = "ETAG", description = "Only if the document is still this version.")
    @Nullable
    String ifMatch;

    @Override
    public Integer call() {
        List<Reference> named = Reference.all(words, server.client());
        if (named.size() != 1) {
            throw new UsageProblem("patch is for one document: TYPE/NAME");
        }
        return write.run(server, request(named.getFirst()).with("If-Match", Optional.ofNullable(ifMatch)));
    }

    private WriteRequest request(Reference document) {
        JsonNode given = patch();
        if (given instanceof ObjectNode spec) {
            return WriteRequest.patch(document, spec);
        }
        if (!given.isArray()) {
            throw new UsageProblem("a patch is an object such as {owner: team-a}, or a list as in JSON Patch");
        }
        return new WriteRequest(
                "PATCH",
                document.path(),
                Map.of(),
                Optional.of(new HomeportClient.Payload(
                        "application/json-patch+json", JsonMapper.shared().writeValueAsBytes(given))));
    }

    private JsonNode patch() {
        if ((patch == null) == (file == null)) {
            throw new UsageProblem("give the patch with -p, or a file with -f");
        }
        String text = patch != null
                ? patch
                : "-".equals(file)
                        ? server.process().readAll()
                        : DocumentFiles.text(server.process().file(String.valueOf(file)));
        try {
            return YamlText.read(text);
        } catch (JacksonException e) {
            throw new UsageProblem("the patch cannot be read as YAML or JSON: " + e.getOriginalMessage());
        }
    }
}
