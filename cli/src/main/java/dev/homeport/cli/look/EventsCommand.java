package dev.homeport.cli.look;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.EventStream;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.Pause;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code homeport events}: changes as they are made, until Ctrl-C. */
@Command(name = "events", aliases = "watch", description = "Print changes as they happen, one per line, until stopped.")
final class EventsCommand implements Callable<Integer> {
    private static final int RETRY_SECONDS = 2;
    private static final int MOST_NAMES = 3;

    @Mixin
    ServerOptions server;

    @Option(names = "--types", paramLabel = "TYPE,…", description = "Only changes of these types.")
    @Nullable
    String types;

    @Option(names = "--from", paramLabel = "EVENT", description = "Continue after this event, as EPOCH-REVISION.")
    @Nullable
    String from;

    @Option(names = "--count", paramLabel = "N", description = "Stop after this many changes.")
    int count = Integer.MAX_VALUE;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "jsonl: the API's objects, one in each line.")
    @Nullable
    String form;

    @Override
    public Integer call() {
        if (form != null && !form.equals("jsonl") && !form.equals("table")) {
            throw new UsageProblem("-o of events is table or jsonl");
        }
        HomeportClient client = server.client();
        ProcessEnvironment process = server.process();
        String path = new Paths("/api/v2/stream").with("types", types(client)).toString();
        Optional<String> last = Optional.ofNullable(from);
        int printed = 0;
        boolean connected = false;
        while (true) {
            try (EventStream events = client.stream(path, last)) {
                connected = true;
                Optional<EventStream.Event> next = events.next();
                while (next.isPresent()) {
                    last = Optional.of(next.get().id());
                    if (next.get().name().equals("reset")) {
                        process.err().println("some changes were missed; see homeport audit");
                    } else if (next.get().name().equals("commit")) {
                        print(next.get().data());
                        printed++;
                    }
                    if (printed >= count) {
                        return ExitCodes.DONE;
                    }
                    if (process.out().checkError()) {
                        return ExitCodes.BROKEN_PIPE;
                    }
                    next = events.next();
                }
            } catch (ServerUnreachable e) {
                if (!connected) {
                    throw e;
                }
                process.err().println("connecting again: " + e.getMessage());
            } catch (ApiProblem e) {
                if (!connected || e.code().httpStatus() < 500) {
                    throw e;
                }
            }
            if (!Pause.seconds(RETRY_SECONDS)) {
                return ExitCodes.INTERRUPTED;
            }
        }
    }

    private @Nullable String types(HomeportClient client) {
        if (types == null) {
            return null;
        }
        List<String> names = new ArrayList<>();
        for (String word : types.split(",", -1)) {
            names.add(Kind.of(word, client).name());
        }
        return String.join(",", names);
    }

    private void print(JsonNode commit) {
        ProcessEnvironment process = server.process();
        if (form != null && form.equals("jsonl")) {
            process.out().println(commit);
        } else {
            StringBuilder names = new StringBuilder();
            int shown = 0;
            for (JsonNode change : commit.path("changes")) {
                if (shown++ < MOST_NAMES) {
                    names.append(names.isEmpty() ? "" : ", ")
                            .append(change.path("change").asString(""))
                            .append(' ')
                            .append(change.path("type").asString(""))
                            .append('/')
                            .append(change.path("id").asString(""));
                }
            }
            int more = commit.path("change_count").asInt(0) - MOST_NAMES;
            process.out()
                    .println(SafeText.line(commit.path("at").asString("") + "  ch-"
                            + commit.path("revision").asString("") + "  "
                            + commit.path("actor").asString("") + "  " + names
                            + (more > 0 ? " and " + more + " more" : "")
                            + (commit.path("reason").asString("").isEmpty()
                                    ? ""
                                    : "  (" + commit.path("reason").asString("") + ")")));
        }
        process.out().flush();
    }
}
