package dev.homeport.cli;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** {@code homeport apply -f FILE|DIR|-}: everything in it, in one commit or not at all. */
@Command(name = "apply", description = "Makes documents what files say, in one commit.")
final class ApplyCommand implements Callable<Integer> {
    private static final YAMLMapper YAML = new YAMLMapper();

    @Mixin
    ServerOptions server;

    @Option(names = "-f", required = true, paramLabel = "FILE|DIR|-", description = "YAML or JSON, several documents.")
    List<String> files;

    @Option(names = "--dry-run", description = "Only show what would change.")
    boolean dryRun;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; goes into the log.")
    @Nullable
    String reason;

    @Option(names = "--confirm", paramLabel = "TOKEN", description = "The confirmation of a plan that was shown.")
    @Nullable
    String confirm;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        ObjectNode request = YAML.createObjectNode();
        String why = reason == null ? System.getenv("HOMEPORT_REASON") : reason;
        if (why != null) {
            request.put("reason", why);
        }
        ArrayNode operations = request.putArray("operations");
        for (JsonNode document : documents()) {
            operations
                    .addObject()
                    .put("op", "put")
                    .put("type", document.path("type").asString(""))
                    .put("id", document.path("id").asString(""))
                    .set("spec", document.path("spec"));
        }
        Map<String, String> headers = confirm == null ? Map.of() : Map.of("Homeport-Confirm", confirm);
        PrintWriter out = spec.commandLine().getOut();
        try {
            HomeportClient.Answer answer = server.client()
                    .send("POST", "/api/v2/changes" + (dryRun ? "?dry_run=true" : ""), headers, Optional.of(request));
            JsonNode body = answer.body();
            PlanText.print(body.path("plan"), out);
            out.println(
                    dryRun
                            ? "nothing was changed: dry run"
                            : "revision " + body.path("revision").asString("-"));
            return 0;
        } catch (ApiProblem e) {
            if (e.code() == ErrorCode.CONFIRMATION_REQUIRED || e.code() == ErrorCode.PLAN_CHANGED) {
                PrintWriter err = spec.commandLine().getErr();
                PlanText.print(e.body().path("plan"), err);
                err.println(
                        "repeat with --confirm " + e.body().path("confirmation").asString(""));
            }
            throw e;
        }
    }

    private List<JsonNode> documents() {
        List<JsonNode> all = new ArrayList<>();
        for (String file : files) {
            try {
                if (file.equals("-")) {
                    read(new String(System.in.readAllBytes(), StandardCharsets.UTF_8), "standard input", all);
                } else if (Files.isDirectory(Path.of(file))) {
                    try (Stream<Path> inside = Files.walk(Path.of(file))) {
                        for (Path one :
                                inside.filter(ApplyCommand::isDocument).sorted().toList()) {
                            read(Files.readString(one), one.toString(), all);
                        }
                    }
                } else {
                    read(Files.readString(Path.of(file)), file, all);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
            }
        }
        if (all.isEmpty()) {
            throw new UsageProblem("there are no documents in " + String.join(", ", files));
        }
        return all;
    }

    private static boolean isDocument(Path file) {
        String name = file.toString();
        return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
    }

    private static void read(String text, String source, List<JsonNode> all) {
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (document.isArray()) {
                    document.forEach(all::add);
                } else if (!document.isNull()) {
                    all.add(document);
                }
            }
        } catch (JacksonException e) {
            throw new UsageProblem(source + " is neither YAML nor JSON: " + e.getOriginalMessage());
        }
    }
}
