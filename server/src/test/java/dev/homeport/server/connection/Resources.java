package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.http.ConnectionLimits;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What connections take of the process, now and as it was. */
record Resources(TestServer server, long sockets) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Duration WINDOW = Duration.ofMillis(150);

    /** An idle loop wakes up for its timers alone; one that spins takes all of the window. */
    private static final long IDLE_NANOS = WINDOW.toNanos() / 3;

    static Resources of(TestServer server) {
        return new Resources(server, openSockets());
    }

    /** Of this process, whichever side of a connection they are. */
    static long openSockets() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(Resources::isSocket).count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /** Waits until all are given back, and no event loop has anything to do. */
    void areBack() throws InterruptedException {
        ConnectionLimits limits = server.connections();
        for (ConnectionLimits.Plane plane : limits.planes()) {
            await(() -> plane.open() == 0, () -> plane.open() + " connections are open on " + plane.name());
        }
        await(() -> openSockets() <= sockets, () -> openSockets() + " sockets instead of " + sockets);
        await(
                () -> limits.bytes().used() == 0 && limits.answers().used() == 0,
                () -> limits.bytes().used() + " and " + limits.answers().used() + " bytes are taken");
        await(() -> cpuOfEventLoops() < IDLE_NANOS, () -> "an event loop spins");
    }

    /** Heap that is reachable, and memory outside of it. */
    static long memory() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + Math.max(0, PlatformDependent.usedDirectMemory());
    }

    private static long cpuOfEventLoops() {
        long before = cpu();
        try {
            Thread.sleep(WINDOW);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return cpu() - before;
    }

    private static long cpu() {
        long all = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("poll-") || thread.getName().startsWith("vert.x-eventloop")) {
                all += Math.max(0, THREADS.getThreadCpuTime(thread.threadId()));
            }
        }
        return all;
    }

    static void await(BooleanSupplier condition, Supplier<String> otherwise) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(otherwise).isLessThan(until);
            Thread.sleep(10);
        }
    }
}
