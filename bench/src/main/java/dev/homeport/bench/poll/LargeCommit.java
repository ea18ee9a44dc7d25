package dev.homeport.bench.poll;

import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.core.BulkLoad;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process that changes every cluster of a fleet in one commit, several times, while others poll. */
final class LargeCommit {
    private static final Duration PAUSE = Duration.ofSeconds(4);

    private LargeCommit() {}

    public static void main(String[] args) throws InterruptedException {
        int clusters = Integer.parseInt(args[1]);
        List<Double> seconds = new ArrayList<>();
        try (SqlStore store = Stores.sqlite(Path.of(args[0]), Storage.writer())) {
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                Thread.sleep(PAUSE);
                long begun = System.nanoTime();
                BulkLoad.changeAll(store, clusters);
                seconds.add((System.nanoTime() - begun) / 1e9);
            }
            Thread.sleep(PAUSE);
        }
        ChildJvm.report(Map.of("commit_s", seconds));
    }
}
