package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Head;
import dev.homeport.change.Proposal;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/** One sequence of operations, the same for the same seed, on a store and on the model. Every answer must be equal. */
final class RandomOperations {
    private static final int LENGTH = 25;

    private final SqlStore store;
    private final ModelLog model = new ModelLog();
    private final Random random;

    RandomOperations(SqlStore store, long seed) {
        this.store = store;
        this.random = new Random(seed);
    }

    void run() {
        for (int i = 0; i < LENGTH; i++) {
            switch (random.nextInt(12)) {
                case 0 -> documentAt();
                case 1 -> after();
                case 2 -> commitsOf();
                case 3 -> revisionAt();
                case 4 -> committedUnder();
                case 5 -> raiseEpoch();
                default -> append();
            }
        }
        load();
        documentsAt();
        assertThat(store.verify(revision -> {}).commits()).isEqualTo(model.revision());
    }

    private void append() {
        Proposal proposal = proposal();
        assertThat(outcome(() -> store.append(proposal))).isEqualTo(outcome(() -> model.append(proposal)));
        assertThat(store.head().revision()).isEqualTo(model.revision());
    }

    private Proposal proposal() {
        Head now = store.head();
        Head head = chance(90)
                ? now
                : new Head(
                        now.storeId(),
                        now.epoch() + random.nextInt(2),
                        chance(50) ? now.revision() : random.nextInt(4),
                        chance(50) ? now.hash() : "of another log");
        List<Change> changes = new ArrayList<>();
        for (int i = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(4); i > 0; i--) {
            DocumentKey key = key();
            boolean known = model.at(model.revision()).containsKey(key);
            boolean fresh = changes.stream().noneMatch(change -> change.key().equals(key));
            if (fresh || chance(3)) {
                boolean remove = known ? chance(40) : chance(3);
                changes.add(
                        remove
                                ? new Change.Remove(key)
                                : new Change.Put(key, Edit.body("{\"n\":" + random.nextInt(3) + "}")));
            }
        }
        return new Proposal(
                head,
                actor(),
                "reason " + random.nextInt(3),
                Edit.NOW.plusNanos(random.nextInt(20_000) - 10_000L),
                "request",
                chance(30) ? Optional.of(idempotency()) : Optional.empty(),
                chance(20) ? Map.of("b", "2", "a", "1") : Map.of(),
                changes);
    }

    private void documentAt() {
        DocumentKey key = key();
        long revision = random.nextLong(model.revision() + 2);
        assertThat(store.documentAt(key, revision).map(RandomOperations::version))
                .isEqualTo(Optional.ofNullable(model.at(revision).get(key)));
    }

    private void documentsAt() {
        long revision = random.nextLong(model.revision() + 2);
        Map<DocumentKey, ModelLog.Version> found = new HashMap<>();
        List<String> ids = new ArrayList<>();
        for (Document document : store.documentsAt("cluster", revision)) {
            found.put(document.key(), version(document));
            ids.add(document.id());
        }
        Map<DocumentKey, ModelLog.Version> expected = new HashMap<>(model.at(revision));
        expected.keySet().removeIf(key -> !key.type().equals("cluster"));
        assertThat(found).isEqualTo(expected);
        assertThat(ids).isSorted();
    }

    private void after() {
        long revision = random.nextLong(model.revision() + 2);
        int limit = 1 + random.nextInt(5);
        List<RecordedCommit> found = store.after(revision, limit);
        List<Long> expected = LongStream.rangeClosed(revision + 1, Math.min(revision + limit, model.revision()))
                .boxed()
                .toList();
        assertThat(found).extracting(entry -> entry.commit().revision()).isEqualTo(expected);
        for (RecordedCommit entry : found) {
            long at = entry.commit().revision();
            assertThat(entry.commit()).isEqualTo(model.commit(at));
            assertThat(entry.changes())
                    .isEqualTo(model.changes(at).stream()
                            .map(change -> recorded(change, at))
                            .toList());
        }
    }

    private RecordedChange recorded(Change change, long revision) {
        ModelLog.Version before = model.at(revision - 1).get(change.key());
        return new RecordedChange(
                change.key(),
                change.body(),
                change.body()
                        .map(body -> CommitHash.ofPayload(body.canonicalBytes()))
                        .orElse(""),
                before == null ? "" : CommitHash.ofPayload(before.body().canonicalBytes()),
                false);
    }

    private void commitsOf() {
        DocumentKey key = key();
        long below = random.nextLong(model.revision() + 3);
        int limit = 1 + random.nextInt(3);
        assertThat(store.commitsOf(key, below, limit))
                .extracting(commit -> commit.revision())
                .isEqualTo(model.commitsOf(key, below, limit));
    }

    private void revisionAt() {
        var time = Edit.NOW.plusNanos(random.nextInt(30_000) - 12_000L);
        assertThat(store.revisionAt(time)).isEqualTo(model.revisionAt(time));
    }

    private void committedUnder() {
        Actor actor = actor();
        Proposal.Idempotency idempotency = idempotency();
        assertThat(store.committedUnder(actor, idempotency)).isEqualTo(model.committedUnder(actor, idempotency));
    }

    private void raiseEpoch() {
        assertThat(store.raiseEpoch()).isEqualTo(model.raiseEpoch());
    }

    private void load() {
        Map<DocumentKey, ModelLog.Version> found = new HashMap<>();
        List<DocumentKey> keys = new ArrayList<>();
        assertThat(store.load(document -> {
                            found.put(document.key(), version(document));
                            keys.add(document.key());
                        })
                        .revision())
                .isEqualTo(model.revision());
        assertThat(found).isEqualTo(model.at(model.revision()));
        assertThat(keys).isSorted();
    }

    private static ModelLog.Version version(Document document) {
        return new ModelLog.Version(
                document.body(),
                document.created().revision(),
                document.updated().revision());
    }

    /** The answer, or that it was refused: the words may differ. */
    private static Object outcome(Callable<AppendResult> append) {
        try {
            return append.call();
        } catch (Exception e) {
            return e.getClass();
        }
    }

    private DocumentKey key() {
        return new DocumentKey(chance(70) ? "cluster" : "workspace", "id-" + random.nextInt(5));
    }

    private Actor actor() {
        return chance(50) ? Edit.ALICE : Edit.BOB;
    }

    private Proposal.Idempotency idempotency() {
        return new Proposal.Idempotency("key-" + random.nextInt(4), "digest-" + random.nextInt(2));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
