package dev.homeport.cli.look;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.EventStream;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.Pause;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code get --watch}: the list, and then each document again when it has changed. */
public final class Watching {
    /** Polls are not commits, so what they change is looked at from time to time. */
    private static final int LOOK_SECONDS = 5;

    private static final int RETRY_SECONDS = 2;

    private final HomeportClient client;
    private final ProcessEnvironment process;
    private final OutputOptions output;
    private final Map<String, String> shown = new LinkedHashMap<>();
    private final List<Integer> widths = new ArrayList<>();

    public Watching(HomeportClient client, ProcessEnvironment process, OutputOptions output) {
        this.client = client;
        this.process = process;
        this.output = output;
    }

    public int follow(Kind kind, SelectOptions.Query query, List<Reference> named) {
        if (kind.equals(Kind.CHANGE)) {
            throw new UsageProblem("use homeport events to watch changes");
        }
        named.forEach(one -> client.get(one.path())); // a missing document is a mistyped name
        look(kind, query, named);
        BlockingQueue<Boolean> nudges = new ArrayBlockingQueue<>(1);
        Thread listener = Thread.ofPlatform().daemon().start(() -> listen(kind, nudges));
        try {
            while (!process.out().checkError()) {
                if (nudges.poll(LOOK_SECONDS, TimeUnit.SECONDS) == null && !kind.equals(Kind.CLUSTER)) {
                    continue;
                }
                lookAgain(kind, query, named);
            }
            return ExitCodes.BROKEN_PIPE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCodes.INTERRUPTED;
        } finally {
            listener.interrupt();
        }
    }

    private void lookAgain(Kind kind, SelectOptions.Query query, List<Reference> named) {
        try {
            look(kind, query, named);
        } catch (ServerUnreachable e) {
            process.err().println("waiting: " + e.getMessage());
            Pause.seconds(RETRY_SECONDS);
        } catch (ApiProblem e) {
            if (e.code().httpStatus() < 500) {
                throw e;
            }
            process.err().println("waiting: " + e.getMessage());
        }
    }

    private void listen(Kind kind, BlockingQueue<Boolean> nudges) {
        Optional<String> last = Optional.empty();
        while (!Thread.currentThread().isInterrupted()) {
            try (EventStream events = client.stream(
                    new Paths("/api/v2/stream").with("types", kind.name()).toString(), last)) {
                Optional<EventStream.Event> event = events.next();
                while (event.isPresent()) {
                    last = Optional.of(event.get().id());
                    boolean _ = nudges.offer(true);
                    event = events.next();
                }
            } catch (ServerUnreachable | ApiProblem e) {
                // the next read of the documents reports it
            }
            Pause.seconds(RETRY_SECONDS);
        }
    }

    private void look(Kind kind, SelectOptions.Query query, List<Reference> named) {
        Map<String, JsonNode> now = new LinkedHashMap<>();
        if (named.isEmpty()) {
            SelectOptions.all(client, kind, query, Optional.empty())
                    .forEach(document -> now.put(document.path("id").asString(""), document));
        } else {
            for (Reference one : named) {
                one.find(client).ifPresent(document -> now.put(one.id(), document));
            }
        }
        boolean first = shown.isEmpty() && widths.isEmpty();
        List<JsonNode> fresh = new ArrayList<>();
        now.forEach((id, document) -> {
            String text = output.isTable()
                    ? String.join("", output.tableLines(kind.name(), List.of(document), true, new ArrayList<>()))
                            .replaceAll("[0-9]+[smhd]\\b", "")
                    : document.toString();
            if (!text.equals(shown.put(id, text))) {
                fresh.add(document);
            }
        });
        for (String id : List.copyOf(shown.keySet())) {
            if (!now.containsKey(id)) {
                shown.remove(id);
                gone(kind, id);
            }
        }
        print(kind, fresh, first);
    }

    private void gone(Kind kind, String id) {
        if (output.isTable()) {
            process.out().println(id + "  gone");
        } else {
            ObjectNode gone = JsonMapper.shared().createObjectNode();
            output.print(
                    kind.name(),
                    List.of(gone.put("type", kind.name()).put("id", id).put("deleted", true)),
                    false);
        }
    }

    private void print(Kind kind, List<JsonNode> fresh, boolean first) {
        if (output.isTable()) {
            output.tableLines(kind.name(), fresh, !first || !output.withHeaders(), widths)
                    .forEach(process.out()::println);
        } else {
            fresh.forEach(document -> output.print(kind.name(), List.of(document), false));
        }
        process.out().flush();
    }
}
