package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.Ages;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.terminal.Surroundings;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How a write is handled. Every write has these. */
final class WriteOptions {
    @Option(names = "--dry-run", description = "Only show what would change.")
    boolean dryRun;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; goes into the log. Or set HOMEPORT_REASON.")
    @Nullable
    String reason;

    @Option(
            names = {"-y", "--yes"},
            description = "Confirm what the plan says without being asked.")
    boolean yes;

    @Option(names = "--no-input", description = "Never ask.")
    boolean noInput;

    @Option(names = "--confirm", paramLabel = "TOKEN", description = "The confirmation of a plan that was shown.")
    @Nullable
    String confirm;

    @Option(names = "--secrets-seen", description = "Write although something looks like a secret; admins only.")
    boolean secretsSeen;

    @Option(
            names = "--wait",
            description = "Wait until every changed cluster runs it; one that reports nothing, until it has polled.")
    boolean wait;

    @Option(names = "--timeout", paramLabel = "TIME", description = "How long to wait; default 30m.")
    @Nullable
    String timeout;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "json or yaml: the API's answer instead of text.")
    @Nullable
    String output;

    private final Surroundings surroundings;

    WriteOptions(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    String reason() {
        return Optional.ofNullable(reason)
                .or(() -> surroundings.variable("HOMEPORT_REASON"))
                .orElse("");
    }

    /** Whether somebody is there to be asked. */
    boolean mayAsk() {
        return !noInput && surroundings.terminals().in();
    }

    Duration timeout() {
        return Optional.ofNullable(timeout)
                .map(text -> Ages.duration(text)
                        .orElseThrow(() -> new UsageProblem(text + " is not a time; write it like 90s, 15m or 2h")))
                .orElse(Duration.ofMinutes(30));
    }

    boolean isText() {
        return output == null;
    }

    void checkOutput() {
        if (output != null && !output.equalsIgnoreCase("json") && !output.equalsIgnoreCase("yaml")) {
            throw new UsageProblem("-o of a change is json or yaml");
        }
    }

    void print(JsonNode answer) {
        if (output != null && output.toLowerCase(Locale.ROOT).equals("yaml")) {
            surroundings.out().print(YamlText.write(answer));
        } else {
            surroundings
                    .out()
                    .println(JsonMapper.shared()
                            .writer()
                            .with(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(answer));
        }
        surroundings.out().flush();
    }

    /** Plans, shows, asks where it must, and commits. */
    int run(ServerOptions server, WriteRequest request) {
        return new PlannedWrite(this, server).run(request);
    }

    /** What is not planned: it is done as soon as it is said. */
    HomeportClient.Answer send(HomeportClient client, WriteRequest request) {
        WriteRequest asked = handled(request);
        return client.send(asked.method(), asked.path(), asked.headers(), asked.body());
    }

    WriteRequest handled(WriteRequest request) {
        return request.asking("reason", reason()).asking("secrets_seen", secretsSeen ? "true" : "");
    }
}
