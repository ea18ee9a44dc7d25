package dev.homeport.server.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;

/** Clusters that poll one server, hundreds of times as often as real ones, until stopped. */
final class PollLoad implements AutoCloseable {
    private final String base;
    private final List<String> tokens;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
    private final Map<Integer, String> bodies = new ConcurrentHashMap<>();
    private final AtomicInteger differing = new AtomicInteger();
    private volatile boolean stop;

    PollLoad(String base, List<String> tokens, int clients) {
        this.base = base;
        this.tokens = tokens;
        for (int client = 0; client < clients; client++) {
            int first = client;
            threads.add(Thread.ofPlatform().daemon().start(() -> poll(first, clients)));
        }
    }

    private void poll(int first, int step) {
        for (int cluster = first; !stop; cluster = (cluster + step) % tokens.size()) {
            RawPoll.Answer answer = RawPoll.get(base, SeededFleet.path(cluster), tokens.get(cluster));
            statuses.computeIfAbsent(answer.status(), status -> new AtomicInteger())
                    .incrementAndGet();
            if (answer.status() == 200) {
                String before = bodies.putIfAbsent(cluster, answer.body());
                if (before != null && !before.equals(answer.body())) {
                    differing.incrementAndGet();
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    int count(int status) {
        return statuses.getOrDefault(status, new AtomicInteger()).get();
    }

    Map<Integer, String> bodies() {
        return new TreeMap<>(bodies);
    }

    /** All statuses with how often they came. */
    Map<Integer, Integer> statuses() {
        Map<Integer, Integer> counts = new TreeMap<>();
        statuses.forEach((status, count) -> counts.put(status, count.get()));
        return counts;
    }

    int differing() {
        return differing.get();
    }

    void awaitMore(int status, int more) throws InterruptedException {
        int until = count(status) + more;
        for (int tries = 0; count(status) < until; tries++) {
            Assertions.assertThat(tries)
                    .as("waiting for status %d at %s, had %s", status, base, statuses())
                    .isLessThan(3_000);
            Thread.sleep(20);
        }
    }

    @Override
    public void close() throws InterruptedException {
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
