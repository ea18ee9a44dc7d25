package dev.homeport.bench;

import java.lang.management.ManagementFactory;

/** How many bytes of heap are reachable. */
public final class UsedHeap {
    private static final int COLLECTIONS = 4;

    private UsedHeap() {}

    /** Collects several times, because what references and cleaners let go is only gone the next time. */
    public static long bytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
