package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.Stranger;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Polls of unknown names are noted without filling memory or the store. */
class StrangersTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final Strangers strangers = new Strangers(nanos::get);

    private void seconds(long count) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(count));
    }

    /** What an hour of ever new names, a thousand in a second, leaves to be stored. */
    private long rowsOfAFlood(boolean manyNetworks) {
        long rows = 0;
        for (int second = 0; second < 3600; second++) {
            seconds(1);
            for (int i = 0; i < 20; i++) { // as many as are needed to pass every limit
                int name = second * 20 + i;
                String address = manyNetworks ? "10." + name % 250 + "." + name / 250 % 250 + ".1" : "192.0.2.1";
                strangers.note("n" + name, address, "poll for an unknown name", NOW);
            }
            List<Stranger> taken = strangers.take();
            rows += taken.stream().filter(one -> one.name().startsWith("n")).count();
            assertThat(taken.stream().mapToLong(Stranger::count).sum()).isEqualTo(20);
        }
        return rows;
    }

    @Test
    void oneNetworkAddsFewRowsAndEveryPollIsCounted() {
        assertThat(rowsOfAFlood(false)).isBetween(50L, 1300L);
    }

    @Test
    void manyNetworksAddFewRowsInAll() {
        assertThat(rowsOfAFlood(true)).isBetween(500L, 4200L);
    }

    @Test
    void aFloodDoesNotHideAClusterThatPollsWithAnOldName() {
        strangers.note("old-name", "192.0.2.1", "poll for an unknown name", NOW);
        strangers.take();
        for (int i = 0; i < 10_000; i++) {
            strangers.note("n" + i, "192.0.2.1", "poll for an unknown name", NOW);
        }
        strangers.take();
        strangers.note("old-name", "192.0.2.1", "poll for an unknown name", NOW);
        assertThat(strangers.take()).extracting(Stranger::name).containsExactly("old-name");
    }

    @Test
    void memoryIsBoundedWhileTheStoreDoesNotAnswer() {
        for (int i = 0; i < 20_000; i++) {
            seconds(5);
            strangers.note("n" + i, "10.0." + i / 250 + "." + i % 250, "poll for an unknown name", NOW);
            strangers.putBack(strangers.take());
        }
        assertThat(strangers.take()).hasSizeLessThan(1100);
    }
}
