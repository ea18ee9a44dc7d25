package dev.homeport.server.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.StoreUnavailable;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopsTest {
    private final AtomicLong nanos = new AtomicLong(-5);

    /** With a clock that stands still, so that nothing is late by itself. */
    private Loops loops() {
        return new Loops(Duration.ofSeconds(30), nanos::get);
    }

    private static LoopHealth health(Loops loops, String name) {
        AtomicReference<LoopHealth> found = new AtomicReference<>();
        loops.each(loop -> {
            if (loop.name().equals(name)) {
                found.set(loop);
            }
        });
        return found.get();
    }

    @Test
    void aLoopSurvivesWhateverIsThrownInIt() throws Exception {
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch gone = new CountDownLatch(1);
        try (Loops loops = loops()) {
            loops.start("fragile", () -> {
                switch (turns.incrementAndGet()) {
                    case 1 -> throw new StackOverflowError("on purpose");
                    case 2 -> throw new IllegalStateException("on purpose");
                    case 3 -> throw new OutOfMemoryError("on purpose");
                    default -> gone.countDown();
                }
                Thread.sleep(10);
                return true;
            });
            assertThat(gone.await(50, TimeUnit.SECONDS)).isTrue();
            assertThat(health(loops, "fragile").failures()).isEqualTo(3);
            assertThat(loops.problem()).isEmpty();
        }
    }

    @Test
    void aLoopThatOnlyFailsIsNamedUntilATurnSucceeds() {
        try (Loops loops = loops()) {
            LoopHealth health = loops.adopt("broken", Duration.ZERO, () -> false);
            fail(health, new IllegalStateException("on purpose"), 15);
            assertThat(health.failure()).isEmpty();
            fail(health, new IllegalStateException("on purpose"), 15);
            assertThat(health.problem()).isEmpty();
            assertThat(loops.failing())
                    .containsExactly(new LoopHealth.Failure("broken", Duration.ofSeconds(30), "IllegalStateException"));
            fail(health, new IllegalStateException("on purpose"), 1);
            assertThat(health.problem()).contains("loop broken has failed on every turn for 31 s (allowed: 30 s)");
            health.turned();
            assertThat(health.problem()).isEmpty();
            assertThat(loops.failing()).isEmpty();
        }
    }

    /** A restart would not repair the store. */
    @Test
    void aLoopThatFailsForAnExternalReasonIsAliveAndReported() {
        try (Loops loops = loops()) {
            LoopHealth health = loops.adopt("reader", Duration.ZERO, () -> false);
            fail(health, new IllegalStateException("on purpose"), 29);
            for (int i = 0; i < 10; i++) {
                fail(health, new StoreUnavailable("on purpose", new IllegalStateException()), 29);
                fail(health, new UncheckedIOException(new IOException("on purpose")), 29);
            }
            assertThat(health.problem()).isEmpty();
            assertThat(loops.failing()).extracting(LoopHealth.Failure::loop).containsExactly("reader");
        }
    }

    private void fail(LoopHealth health, Exception failure, int seconds) {
        health.failed(failure);
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    /** The runner itself: a turn that throws is not a turn that succeeds. */
    @Test
    void aTurnThatThrowsIsNoSuccess() throws Exception {
        CountDownLatch turns = new CountDownLatch(3);
        try (Loops loops = loops()) {
            loops.start("broken", () -> {
                turns.countDown();
                nanos.addAndGet(Duration.ofSeconds(20).toNanos());
                throw new IllegalStateException("on purpose");
            });
            assertThat(turns.await(50, TimeUnit.SECONDS)).isTrue();
            while (!health(loops, "broken")
                    .problem()
                    .orElse("")
                    .startsWith("loop broken has failed on every turn for ")) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void aLoopThatHasEndedIsNamed() throws Exception {
        try (Loops loops = loops()) {
            loops.start("short", () -> false).join();
            assertThat(loops.problem()).contains("loop short has ended");
            loops.closing();
            assertThat(loops.problem()).isEmpty();
        }
    }

    @Test
    void aLoopThatDoesNotTurnIsLateAndComesBack() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        try (Loops loops = loops()) {
            loops.start("stuck", () -> {
                stuck.countDown();
                release.await();
                Thread.sleep(10);
                return true;
            });
            assertThat(stuck.await(50, TimeUnit.SECONDS)).isTrue();
            nanos.addAndGet(Duration.ofSeconds(30).toNanos());
            assertThat(health(loops, "stuck").problem()).isEmpty();
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(health(loops, "stuck").problem()).contains("loop stuck has not turned for 31 s (allowed: 30 s)");
            release.countDown();
            while (health(loops, "stuck").problem().isPresent()) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void anEventLoopIsAskedAgainAndAgain() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (Loops loops = loops()) {
            LoopHealth health = loops.watch("poll-0", group.next());
            CountDownLatch stuck = new CountDownLatch(1);
            var _ = group.submit(() -> {
                stuck.countDown();
                return release.await(50, TimeUnit.SECONDS);
            });
            assertThat(stuck.await(50, TimeUnit.SECONDS)).isTrue();
            nanos.addAndGet(Duration.ofSeconds(40).toNanos());
            Thread.sleep(2500); // the watchdog asks meanwhile, in vain
            assertThat(health.problem()).contains("loop poll-0 has not turned for 40 s (allowed: 31 s)");
            release.countDown();
            while (health.problem().isPresent()) {
                Thread.sleep(10);
            }
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
            assertThat(health.problem()).contains("loop poll-0 has ended");
        }
    }
}
