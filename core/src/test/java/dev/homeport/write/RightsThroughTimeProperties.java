package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.Commit;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Note;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.Cases;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random people with random rights, some of them for a time, change clusters while the clock goes on and the expiry sweep
 * runs. Read from the log alone: every change of a cluster was requested by a person with the right to it, and waiting gives
 * no caller what is refused at once.
 */
@Tag("properties")
class RightsThroughTimeProperties {
    private static final int STEPS = 60;
    private static final List<String> VERBS =
            List.of("create", "update", "delete", "decommission", "undelete", "pause", "resume");
    private static final List<String> PEOPLE = List.of("ann", "ben", "cem", "dot");
    private static final List<String> CLUSTERS = List.of("c0", "c1", "c2");
    private static final String SYSTEM = "system:homeport";
    private static final String ROOT = TestFleet.ALICE.toString();

    @TempDir
    Path directory;

    private int worlds;
    private int ended;
    private int resumed;
    private int forbidden;

    @Test
    void nothingHappensToAClusterThatNobodyWithTheRightAskedFor() {
        Cases.forAll(Cases.scaled(40), random -> {
            try (TestFleet fleet = TestFleet.sqlite(directory.resolve("w" + worlds++))) {
                new World(fleet, random).run();
            }
        });
        // Otherwise it would have shown nothing.
        assertThat(List.of(ended, resumed, forbidden)).doesNotContain(0);
    }

    private static <T> T any(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }

    /** A right for a time; without an end, for ever. */
    private record Held(Set<String> verbs, @Nullable Instant until) {}

    private final class World {
        private final TestFleet fleet;
        private final SplittableRandom random;
        private final Map<String, List<Held>> model = new TreeMap<>();
        private final Map<String, Set<String>> roles = new TreeMap<>();
        private final Map<String, String> askedToEnd = new HashMap<>();
        private final Map<String, String> askedToResume = new HashMap<>();
        private long looked;
        private int grants;

        World(TestFleet fleet, SplittableRandom random) {
            this.fleet = fleet;
            this.random = random;
        }

        void run() {
            fleet.component("shop");
            CLUSTERS.forEach(id -> fleet.cluster(
                    id, id.equals("c0") ? "prod" : "dev", "{\"platform_components\": [{\"id\": \"shop\"}]}"));
            for (String name : PEOPLE) {
                Set<String> verbs = new TreeSet<>(VERBS);
                verbs.removeIf(verb -> random.nextInt(3) == 0);
                roles.put("r" + name, verbs);
                String words = verbs.isEmpty() ? "" : ", \"" + String.join("\", \"", verbs) + "\"";
                fleet.create(
                        Types.ACCESS_ROLE,
                        "r" + name,
                        "{\"cluster_scoped\": true, \"permissions\": [{\"verbs\": [\"read\"" + words
                                + "], \"types\": [\"cluster\"]}, {\"verbs\": [\"read\"], \"types\": [\"access_role\"]}]}");
                grant(TestFleet.ALICE, name, "r" + name, random.nextInt(3) == 0 ? soon() : null);
            }
            fleet.create(
                    Types.ACCESS_ROLE,
                    "giver",
                    "{\"permissions\": [{\"verbs\": [\"read\", \"create\"], \"types\": [\"access_grant\"]}]}");
            PEOPLE.forEach(name -> fleet.create(
                    Types.ACCESS_GRANT,
                    "giver-" + name,
                    "{\"subject\": \"person:" + name + "\", \"role\": \"giver\", \"scope\": {\"fleet\": true}}"));
            look();
            for (int i = 0; i < STEPS; i++) {
                step();
                look();
            }
            finish();
        }

        /** What every world shows, however its steps went: ends that are carried out, and one that is refused. */
        private void finish() {
            fleet.cluster("last", "dev", "{\"expires_at\": \"" + soon() + "\"}");
            fleet.cluster("paused", "dev", "{}");
            write(TestFleet.ALICE, List.of(new Operation.Pause("paused", new Note(null, null, soon()))));
            fleet.create(
                    Types.ACCESS_GRANT,
                    "viewer",
                    "{\"subject\": \"person:val\", \"role\": \"viewer\", \"scope\": {\"fleet\": true}}");
            write(
                    new Actor(Actor.Kind.PERSON, "val"),
                    List.of(edit(Types.CLUSTER, "paused", body -> body.put("expires_at", soon().toString()))));
            fleet.advance(Duration.ofHours(3));
            new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
            look();
        }

        private Instant soon() {
            return fleet.now.plusSeconds(60L * (1 + random.nextInt(120)));
        }

        private void step() {
            switch (random.nextInt(8)) {
                case 0 -> fleet.advance(Duration.ofMinutes(1 + random.nextInt(60)));
                case 1 -> new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
                case 2 -> {
                    String name = any(PEOPLE, random);
                    grant(new Actor(Actor.Kind.PERSON, name), any(PEOPLE, random), "r" + any(PEOPLE, random), end());
                }
                default -> act(any(PEOPLE, random), any(CLUSTERS, random));
            }
        }

        private @Nullable Instant end() {
            return random.nextInt(3) == 0 ? null : soon();
        }

        private void act(String name, String cluster) {
            Instant at = random.nextInt(4) == 0 ? fleet.now.minusSeconds(1) : soon();
            List<Operation> operations = switch (random.nextInt(12)) {
                case 0, 1 -> List.of(edit(Types.CLUSTER, cluster, body -> body.put("expires_at", at.toString())));
                case 2 -> List.of(edit(Types.CLUSTER, cluster, body -> body.without("expires_at")));
                case 3 -> List.of(new Operation.Decommission(cluster, Optional.of(at)));
                case 4 -> List.of(new Operation.Undelete(cluster));
                case 5 -> List.of(new Operation.Pause(cluster, new Note(null, null, end())));
                case 6 -> List.of(new Operation.Resume(cluster));
                case 7 ->
                    List.of(edit(
                            Types.CLUSTER,
                            cluster,
                            body -> random.nextBoolean() ? body.put("protected", false) : body.without("protected")));
                case 8 -> List.of(random.nextBoolean() ? delete(Types.CLUSTER, cluster) : decommission(cluster));
                case 9 -> past(cluster);
                case 10 -> revert();
                default -> List.of(edit(Types.CLUSTER, cluster, body -> body.put("protected", true)));
            };
            write(new Actor(Actor.Kind.PERSON, name), operations);
        }

        private static Operation decommission(String cluster) {
            return new Operation.Decommission(cluster, Optional.empty());
        }

        private List<Operation> past(String cluster) {
            long revision = 1 + random.nextLong(fleet.snapshot().revision());
            DocumentKey key = new DocumentKey(Types.CLUSTER, cluster);
            return fleet.store.documentAt(key, revision).isEmpty()
                    ? revert()
                    : Undoing.document(fleet.store, key, revision);
        }

        private List<Operation> revert() {
            return Undoing.commit(
                    fleet.store, 1 + random.nextLong(fleet.snapshot().revision()));
        }

        private boolean write(Actor actor, List<Operation> operations) {
            Caller caller = actor.equals(TestFleet.ALICE)
                    ? Caller.internal(actor)
                    : new Caller(actor, Caller.Access.GRANTED, Optional.empty(), "");
            WriteRequest request = WriteRequest.of(caller, "", operations);
            try {
                try {
                    fleet.writer.write(request);
                } catch (ConfirmationRequired e) {
                    fleet.writer.write(request.confirmedBy(e.token()));
                }
                return true;
            } catch (ProblemException e) {
                forbidden += e.problem().code() == ErrorCode.FORBIDDEN ? 1 : 0;
                return false;
            }
        }

        private void grant(Actor giver, String to, String role, @Nullable Instant end) {
            String expiry = end == null ? "" : ", \"expires_at\": \"" + end + "\"";
            boolean given = write(
                    giver,
                    List.of(creation(
                            Types.ACCESS_GRANT,
                            "g" + grants++,
                            "{\"subject\": \"person:" + to + "\", \"role\": \"" + role
                                    + "\", \"scope\": {\"fleet\": true}" + expiry + "}")));
            if (given) {
                Set<String> verbs = roles.getOrDefault(role, Set.of());
                verbs.forEach(verb -> assertThat(holds(giver.toString(), verb, fleet.now, end))
                        .as("%s gives %s until %s", giver, verb, end)
                        .isTrue());
                model.computeIfAbsent("person:" + to, name -> new ArrayList<>()).add(new Held(verbs, end));
            }
        }

        /** @param until how long it must be held; null: for ever */
        private boolean holds(String actor, String verb, Instant at, @Nullable Instant until) {
            return actor.equals(ROOT)
                    || model.getOrDefault(actor, List.of()).stream()
                            .anyMatch(held -> held.verbs().contains(verb)
                                    && (held.until() == null
                                            || held.until().isAfter(at)
                                                    && until != null
                                                    && !until.isAfter(held.until())));
        }

        private void requires(Commit commit, String what, String... verbs) {
            boolean allowed = List.of(verbs).stream()
                    .anyMatch(verb -> holds(commit.actor().toString(), verb, commit.at(), commit.at()));
            assertThat(allowed)
                    .as("revision %d: %s by %s, who holds %s", commit.revision(), what, commit.actor(), model)
                    .isTrue();
        }

        /** Reads what was committed since the last look. */
        private void look() {
            for (long revision = looked + 1; revision <= fleet.snapshot().revision(); revision++) {
                RecordedCommit recorded = fleet.store.commit(revision).orElseThrow();
                Set<String> clusters = new TreeSet<>();
                for (RecordedChange change : recorded.changes()) {
                    if (Set.of(Types.CLUSTER, Types.CLUSTER_LIFE)
                            .contains(change.key().type())) {
                        clusters.add(change.key().id());
                    }
                }
                clusters.forEach(cluster -> judge(cluster, recorded.commit()));
                looked = revision;
            }
        }

        private void judge(String id, Commit commit) {
            Optional<Document> before = document(Types.CLUSTER, id, commit.revision() - 1);
            Optional<Document> after = document(Types.CLUSTER, id, commit.revision());
            ClusterLife old = life(id, commit.revision() - 1);
            ClusterLife now = life(id, commit.revision());
            boolean wasActive = before.isPresent() && old.phase() == ClusterLife.Phase.ACTIVE;
            boolean isActive = after.isPresent() && now.phase() == ClusterLife.Phase.ACTIVE;
            boolean ends = wasActive && !isActive;
            boolean resumes = wasActive && isActive && old.pause() != null && now.pause() == null;
            Instant end = after.map(cluster -> Cluster.of(cluster).expiresAt()).orElse(null);
            Instant oldEnd = wasActive
                    ? before.map(cluster -> Cluster.of(cluster).expiresAt()).orElse(null)
                    : null;
            boolean endsLater = isActive && sooner(end, oldEnd) || sooner(now.leaveAt(), old.leaveAt());
            boolean resumesLater = sooner(resumeAt(now), resumeAt(old));
            if (commit.actor().toString().equals(SYSTEM)) {
                assertThat(endsLater || resumesLater)
                        .as("Homeport sets no end itself")
                        .isFalse();
                assertThat(!ends || askedToEnd.containsKey(id))
                        .as("a request ended %s", id)
                        .isTrue();
                assertThat(!resumes || askedToResume.containsKey(id))
                        .as("a request resumed %s", id)
                        .isTrue();
                boolean due = isDue(oldEnd, commit) || isDue(old.leaveAt(), commit) || isDue(resumeAt(old), commit);
                assertThat(due)
                        .as("revision %d: something was due on %s", commit.revision(), id)
                        .isTrue();
                ended += ends ? 1 : 0;
                resumed += resumes ? 1 : 0;
                return;
            }
            if (ends) {
                requires(commit, "the end of " + id, "delete", "decommission");
            }
            if (resumes) {
                requires(commit, "the end of the pause of " + id, "resume");
            }
            if (endsLater) {
                requires(commit, "a later end of " + id, "decommission");
                askedToEnd.put(id, commit.actor().toString());
            }
            if (resumesLater) {
                requires(commit, "a later end of the pause of " + id, "resume");
                askedToResume.put(id, commit.actor().toString());
            }
            if (before.isEmpty()) {
                requires(commit, "the creation of " + id, "create");
            }
            if (before.isPresent() && after.isPresent() && isProtected(before.get()) && !isProtected(after.get())) {
                requires(commit, "the loss of protection of " + id, "decommission");
            }
        }

        private boolean isDue(@Nullable Instant end, Commit commit) {
            return end != null && !end.isAfter(commit.at());
        }

        private boolean isProtected(Document document) {
            Cluster cluster = Cluster.of(document);
            return Objects.requireNonNullElse(
                    cluster.protectedFlag(), cluster.environment().equals("prod"));
        }

        private Optional<Document> document(String type, String id, long revision) {
            return fleet.store.documentAt(new DocumentKey(type, id), revision);
        }

        private ClusterLife life(String id, long revision) {
            return ClusterLife.of(document(Types.CLUSTER_LIFE, id, revision).orElse(null));
        }

        private static @Nullable Instant resumeAt(ClusterLife life) {
            ClusterLife.Pause pause = life.pause();
            return pause == null ? null : pause.note().expiresAt();
        }

        private static boolean sooner(@Nullable Instant end, @Nullable Instant old) {
            return end != null && (old == null || end.isBefore(old));
        }
    }
}
