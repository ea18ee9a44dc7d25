package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Head;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollBatch;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.PollLog.From;
import dev.homeport.server.events.Reports;
import dev.homeport.server.events.Strangers;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.server.poll.PollSeen;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Polls are saved, found again, shared by the processes of one store, and tell when the store lost its end. */
class ObservedPollsTest {
    @TempDir
    private Path folder;

    private Path data;
    private Storage storage;
    private List<String> tokens;

    @BeforeEach
    void seed() {
        data = folder.resolve("data");
        storage = SeededFleet.storage("--data", data.toString());
        assertThat(AdminRun.of("init", "--data", data.toString()).code()).isZero();
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            tokens = fleet.clusters(3);
        }
    }

    @Test
    void twoReadersBesideTheWriterOfOneFolderAllSaveWhatTheySaw() throws Exception {
        try (ServerProcess crud = ServerProcess.serve(data);
                ServerProcess one = ServerProcess.serve(data, "--mode", "read-only");
                ServerProcess two = ServerProcess.serve(data, "--mode", "read-only")) {
            List<ServerProcess> servers = List.of(crud, one, two);
            for (int i = 0; i < 3; i++) {
                assertThat(poll(servers.get(i), i).status()).isEqualTo(200);
            }
            assertThat(poll(one, 0)).isEqualTo(poll(crud, 0));
            awaitSaved(3);
        }
        LastSeen found = new LastSeen();
        PollKeeper keeper = new PollKeeper(
                () -> storage.observed(Opening.Mode.FOLLOWER),
                found,
                new Reports(),
                new Strangers(),
                new RefusedAttempts(),
                InstantSource.system(),
                90);
        keeper.keep(head());
        assertThat(found.last("c1", "platform-components")).isPresent();
        assertThat(keeper.mayHavePolled("c2")).isTrue();
        assertThat(keeper.mayHavePolled("c9")).isFalse();
        keeper.close();
    }

    @Test
    void withoutTheObservedStoreNothingIsLostAndEveryClusterMayHavePolled() {
        LastSeen seen = new LastSeen();
        boolean[] there = {false};
        PollKeeper keeper = new PollKeeper(
                () -> {
                    if (!there[0]) {
                        throw new IllegalStateException("not now");
                    }
                    return storage.observed(Opening.Mode.WRITER);
                },
                seen,
                new Reports(),
                new Strangers(),
                new RefusedAttempts(),
                InstantSource.system(),
                90);
        Instant now = Instant.now();
        seen.record("c1", "namespaces", new PollSeen(now, 200, "d", 3, "flat", "", ""));
        seen.record("c1", "namespaces", new PollSeen(now.plusMillis(1), 503, "", 3, "flat", "", ""));
        keeper.keep(head());
        assertThat(keeper.mayHavePolled("never")).isTrue();
        assertThat(keeper.highest()).isEmpty();
        there[0] = true;
        keeper.keep(head());
        assertThat(keeper.mayHavePolled("never")).isFalse();
        assertThat(keeper.opened().wasServed("c1")).isTrue();
        assertThat(keeper.opened().since(Instant.EPOCH, From.EVERYBODY))
                .extracting(ObservedPoll::status)
                .containsExactly(503);
        assertThat(keeper.highest()).contains(head());
        keeper.close();
    }

    @Test
    void aServerWithoutAMarkOfItsOwnNoticesWhatOthersHaveSeen() throws Exception {
        Head further = new Head(head().storeId(), head().epoch(), head().revision() + 5, "a later hash");
        Files.deleteIfExists(data.resolve("high-water"));
        see(further);
        try (ServerProcess server = ServerProcess.serve(data)) {
            RawPoll.Answer answer = poll(server, 0);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("quarantine", "went back from revision");
        }
        assertThat(AdminRun.of("accept", "--yes", "--data", data.toString()).code())
                .isZero();
        try (ServerProcess server = ServerProcess.serve(data)) {
            assertThat(poll(server, 0).status()).isEqualTo(200);
        }
    }

    @Test
    void aRunningServerNoticesWhatOthersHaveSeen() throws Exception {
        try (ServerProcess server = ServerProcess.serve(data)) {
            assertThat(poll(server, 0).status()).isEqualTo(200);
            see(new Head(head().storeId(), head().epoch(), head().revision() + 5, "a later hash"));
            Optional<RawPoll.Answer> refused = Optional.empty();
            for (int tries = 0; refused.isEmpty() && tries < 600; tries++) {
                Thread.sleep(100);
                refused = Optional.of(poll(server, 0)).filter(answer -> answer.status() == 503);
            }
            assertThat(refused).isPresent();
            assertThat(refused.get().body()).contains("another server has seen revision");
        }
    }

    private void see(Head head) {
        try (PollLog observed = storage.observed(Opening.Mode.WRITER)) {
            observed.save(new PollBatch(List.of(), Set.of(), head));
        }
    }

    private void awaitSaved(int rows) throws InterruptedException {
        try (PollLog observed = storage.observed(Opening.Mode.FOLLOWER)) {
            for (int tries = 0; observed.since(Instant.EPOCH, From.EVERYBODY).size() < rows; tries++) {
                assertThat(tries).as("waiting for polls to be saved").isLessThan(600);
                Thread.sleep(100);
            }
        }
    }

    private RawPoll.Answer poll(ServerProcess server, int cluster) {
        return RawPoll.get(server.poll(), SeededFleet.path(cluster), tokens.get(cluster));
    }

    private Head head() {
        try (SqlStore store = storage.open(Opening.follower())) {
            return store.head();
        }
    }
}
