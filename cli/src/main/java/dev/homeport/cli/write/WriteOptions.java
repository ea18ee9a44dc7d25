package dev.homeport.cli.write;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.Ages;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How a write is handled. Every write has these. */
public final class WriteOptions {
    @Option(names = "--dry-run", description = "Only show the plan.")
    public boolean dryRun;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Reason, recorded in the log. Or set HOMEPORT_REASON.")
    @Nullable
    public String reason;

    @Option(
            names = {"-y", "--yes"},
            description = "Confirm the plan without a prompt.")
    public boolean yes;

    @Option(names = "--no-input", description = "Never prompt.")
    public boolean noInput;

    @Option(names = "--confirm", paramLabel = "TOKEN", description = "Confirmation from an earlier plan.")
    @Nullable
    public String confirm;

    @Option(names = "--secrets-seen", description = "Write even if a value looks like a secret; admins only.")
    public boolean secretsSeen;

    @Option(
            names = "--wait",
            description =
                    "Wait until every affected cluster runs the change; clusters without reports, until they have polled.")
    public boolean wait;

    @Option(names = "--timeout", paramLabel = "TIME", description = "Maximum wait time; default 30m.")
    @Nullable
    public String timeout;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "json or yaml: the API's answer instead of text.")
    @Nullable
    public String output;

    private final ProcessEnvironment process;

    public WriteOptions(ProcessEnvironment process) {
        this.process = process;
    }

    public ProcessEnvironment process() {
        return process;
    }

    public String reason() {
        return Optional.ofNullable(reason)
                .or(() -> process.variable("HOMEPORT_REASON"))
                .orElse("");
    }

    /** Whether the command can ask the user. */
    public boolean mayAsk() {
        return !noInput && process.terminals().in();
    }

    public Duration timeout() {
        return Optional.ofNullable(timeout)
                .map(text -> Ages.duration(text)
                        .orElseThrow(() -> new UsageProblem(text + " is not a time; write it like 90s, 15m or 2h")))
                .orElse(Duration.ofMinutes(30));
    }

    public boolean isText() {
        return output == null;
    }

    public void checkOutput() {
        if (output != null && !output.equalsIgnoreCase("json") && !output.equalsIgnoreCase("yaml")) {
            throw new UsageProblem("-o of a change is json or yaml");
        }
    }

    public void print(JsonNode answer) {
        if (output != null && output.toLowerCase(Locale.ROOT).equals("yaml")) {
            process.out().print(YamlText.write(answer));
        } else {
            process.out()
                    .println(JsonMapper.shared()
                            .writer()
                            .with(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(answer));
        }
        process.out().flush();
    }

    /** Plans, shows, asks where it must, and commits. */
    public int run(ServerOptions server, WriteRequest request) {
        return new PlannedWrite(this, server).run(request);
    }

    /** Sends a write that has no plan. */
    public HomeportClient.Answer send(HomeportClient client, WriteRequest request) {
        WriteRequest asked = handled(request);
        return client.send(asked.method(), asked.path(), asked.headers(), asked.body());
    }

    public WriteRequest handled(WriteRequest request) {
        return request.asking("reason", reason()).asking("secrets_seen", secretsSeen ? "true" : "");
    }
}
