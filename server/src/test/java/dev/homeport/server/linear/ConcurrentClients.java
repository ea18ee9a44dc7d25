package dev.homeport.server.linear;

import dev.homeport.server.TestClient;
import dev.homeport.server.linear.DocumentOperation.Kind;
import dev.homeport.server.linear.DocumentOperation.Outcome;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Clients that create, update, delete and get a few namespaces at the same time, and record the answers. */
final class ConcurrentClients {
    private final List<Supplier<TestClient>> servers;
    private final String prefix;
    private final int documents;
    private final ConcurrentLinkedQueue<DocumentOperation> history = new ConcurrentLinkedQueue<>();
    private final AtomicLong values = new AtomicLong();

    /** @param servers each operation goes to one of them, by chance */
    ConcurrentClients(List<Supplier<TestClient>> servers, String prefix, int documents) {
        this.servers = List.copyOf(servers);
        this.prefix = prefix;
        this.documents = documents;
    }

    /** Runs them all to their end. */
    List<DocumentOperation> run(int clients, int operationsEach, long seed) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                Random random = new Random(seed * 1000 + i);
                running.add(threads.submit(() -> client(operationsEach, random)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        return List.copyOf(history);
    }

    int answered() {
        return (int)
                history.stream().filter(one -> one.outcome() != Outcome.UNKNOWN).count();
    }

    /** What a client has last seen of a document: its value and its tag. */
    private record Version(String value, String tag) {}

    private void client(int operations, Random random) {
        Map<String, Version> seen = new HashMap<>();
        for (int i = 0; i < operations; i++) {
            String id = prefix + random.nextInt(documents);
            Version known = seen.get(id);
            int chance = random.nextInt(10);
            Kind kind = chance < 3 ? Kind.GET : known == null ? Kind.CREATE : chance < 8 ? Kind.UPDATE : Kind.DELETE;
            @Nullable
            Version now = ask(
                    id, kind, known, servers.get(random.nextInt(servers.size())).get());
            if (now == null) {
                seen.remove(id);
            } else {
                seen.put(id, now);
            }
        }
    }

    /** Returns what the client then knows of the document. */
    private @Nullable Version ask(String id, Kind kind, @Nullable Version known, TestClient server) {
        boolean writes = kind == Kind.CREATE || kind == Kind.UPDATE;
        boolean bound = kind == Kind.UPDATE || kind == Kind.DELETE;
        String value = writes ? id + "-v" + values.incrementAndGet() : null;
        String expected = bound && known != null ? known.value() : null;
        long start = System.nanoTime();
        TestClient.Answer answer;
        try {
            answer = send(id, kind, value, known, server);
        } catch (UncheckedIOException e) {
            answer = null;
        }
        long end = System.nanoTime();
        Outcome outcome = outcome(kind, answer);
        if (answer == null || outcome == Outcome.UNKNOWN) {
            if (kind != Kind.GET) {
                history.add(new DocumentOperation(
                        id, kind, expected, value, Outcome.UNKNOWN, null, 0, start, Long.MAX_VALUE));
            }
            return known;
        }
        boolean done = outcome == Outcome.DONE;
        String shown = done && kind == Kind.GET ? answer.at("/spec/description").asString() : null;
        String tag = done && kind != Kind.DELETE ? answer.header("ETag") : "";
        long revision = tag.isEmpty()
                ? done ? Long.parseLong(answer.header("Homeport-Revision")) : 0
                : Long.parseLong(tag.replaceAll(".*-|\"", ""));
        history.add(new DocumentOperation(id, kind, expected, value, outcome, shown, revision, start, end));
        if (done && kind != Kind.DELETE) {
            return new Version(shown == null ? String.valueOf(value) : shown, tag);
        }
        return outcome == Outcome.STALE ? known : null;
    }

    private static TestClient.Answer send(
            String id, Kind kind, @Nullable String value, @Nullable Version known, TestClient server) {
        String path = "/api/v2/namespaces/" + id;
        String spec = "{\"id\":\"" + id + "\",\"spec\":{\"description\":\"" + value + "\"}}";
        String tag = known == null ? "" : known.tag();
        return switch (kind) {
            case CREATE -> server.post("/api/v2/namespaces", spec);
            case UPDATE -> server.put(path, spec, tag);
            case DELETE -> server.delete(path, tag);
            case GET -> server.get(path);
        };
    }

    /** A server that is going down, or whose store is, does not say whether it was done. */
    private static Outcome outcome(Kind kind, TestClient.@Nullable Answer answer) {
        int status = answer == null ? 503 : answer.status();
        return switch (status) {
            case 200, 201 -> Outcome.DONE;
            case 404 -> Outcome.ABSENT;
            case 409 -> Outcome.EXISTS;
            case 412 -> Outcome.STALE;
            case 500, 503 -> Outcome.UNKNOWN;
            default -> throw new AssertionError(kind + " was answered " + status + ": " + answer.text());
        };
    }
}
