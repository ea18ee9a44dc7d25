package dev.homeport.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.RecordedCommit;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.Proof;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.Projection;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.snapshot.SnapshotLoader;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.Cases;
import dev.homeport.support.FleetGenerator;
import dev.homeport.support.NaiveIndexes;
import dev.homeport.support.TestFleet;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * Long random lives of small fleets on a real store. Each operation is a case; after each commit everything that memory holds
 * is compared with what the log says, and everything that the plan says with what the answers became.
 */
@Tag("properties")
class WriterProperties {
    private static final int OPERATIONS = 250;
    private static final List<String> CLUSTERS = List.of("ams1", "ber1", "cph1", "dub1", "edi1");

    @TempDir
    Path directory;

    private final List<Path> made = new ArrayList<>();

    @Test
    @Requirement({"A9", "B20", "D7", "E5", "E6"})
    void memoryIsTheLogAndThePlanIsTheEffect() {
        int sequences = Math.max(1, Cases.count() / OPERATIONS);
        int[] count = {0, 0};
        Cases.forAll(sequences, random -> {
            Path place = Files.createTempDirectory(memory(), "fleet");
            try (TestFleet fleet = TestFleet.sqlite(place)) {
                Life life = new Life(fleet, random);
                life.live(OPERATIONS);
                count[0] += life.steps;
                count[1] += life.commits;
            }
        });
        assertThat(count[1]).as("commits of " + count[0] + " operations").isGreaterThan(count[0] / 3);
    }

    /** Where syncing costs nothing, if there is such a place: this is not about the disk. */
    private Path memory() throws IOException {
        Path shared = Path.of("/dev/shm");
        if (!Files.isWritable(shared)) {
            return directory;
        }
        Path place = Files.createTempDirectory(shared, "homeport");
        made.add(place);
        return place;
    }

    @AfterEach
    void cleanUp() throws IOException {
        for (Path place : made) {
            try (Stream<Path> files = Files.walk(place)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static final class Life {
        final TestFleet fleet;
        final SplittableRandom random;
        final FleetGenerator generator;
        final Set<String> checked = new HashSet<>();
        final AnswerBook book = new AnswerBook(new AnswerCache(100_000));
        int steps;
        int commits;
        AllAnswers before;
        AllAnswers earlier;
        Snapshot replayed = SnapshotLoader.empty(BuiltInTypes.catalog());

        Life(TestFleet fleet, SplittableRandom random) {
            this.fleet = fleet;
            this.random = random;
            this.generator = new FleetGenerator(random);
            generator.fleet().forEach((key, body) -> {
                if (!key.type().equals(Types.CLUSTER)) {
                    fleet.confirm(new Operation.Put(key, body));
                }
            });
            this.before = AllAnswers.of(fleet.snapshot(), checked);
            this.earlier = before;
            catchUpReplay();
        }

        void live(int operations) {
            for (; steps < operations; steps++) {
                fleet.advance(Duration.ofSeconds(1));
                long head = fleet.snapshot().revision();
                List<Operation> request = request();
                Optional<Outcome.Committed> done = attempt(request);
                if (done.isPresent()) {
                    commits++;
                    AllAnswers after = AllAnswers.of(fleet.snapshot(), checked);
                    check(done.get(), after, request);
                    earlier = before;
                    before = after;
                    if (generator.chance(15)) {
                        undo(done.get());
                    }
                } else {
                    assertThat(fleet.store.head().revision()).isEqualTo(head);
                }
            }
            assertThat(AllAnswers.of(replayFromTheStart())).isEqualTo(before);
        }

        private Optional<Outcome.Committed> attempt(List<Operation> request) {
            WriteRequest wanted = WriteRequest.of(TestFleet.ALICE, "a case", request);
            if (generator.chance(50)) {
                wanted = wanted.with(WriteRequest.Flag.HOTFIX);
            }
            try {
                return committed(wanted);
            } catch (ConfirmationRequired e) {
                try {
                    return committed(wanted.confirmedBy(e.token()));
                } catch (ProblemException again) {
                    throw new AssertionError("confirmed and refused: " + again.getMessage(), again);
                }
            } catch (ProblemException e) {
                return Optional.empty();
            }
        }

        private Optional<Outcome.Committed> committed(WriteRequest request) {
            return fleet.writer.write(request) instanceof Outcome.Committed done ? Optional.of(done) : Optional.empty();
        }

        private void undo(Outcome.Committed last) {
            List<Operation> undo = Undoing.commit(fleet.store, last.commit().revision());
            Optional<Outcome.Committed> done = attempt(undo);
            if (done.isEmpty()) {
                return;
            }
            AllAnswers after = AllAnswers.of(fleet.snapshot(), checked);
            check(done.get(), after, undo);
            earlier.texts()
                    .forEach((place, text) -> assertThat(after.texts().get(place))
                            .as("after a revert, at " + place)
                            .isEqualTo(text));
            earlier = before;
            before = after;
        }

        private void check(Outcome.Committed done, AllAnswers after, List<Operation> request) {
            Snapshot live = fleet.snapshot();
            Snapshot loaded = SnapshotLoader.load(fleet.store, BuiltInTypes.catalog());
            catchUpReplay();
            String what = request.toString();
            assertThat(documents(loaded)).as(what).isEqualTo(documents(live));
            assertThat(documents(replayed)).as(what).isEqualTo(documents(live));
            assertThat(AllAnswers.of(loaded, checked)).as(what).isEqualTo(after);
            assertThat(AllAnswers.of(replayed, checked)).as(what).isEqualTo(after);
            assertThat(loaded.head()).isEqualTo(live.head());
            assertThat(replayed.head().hash()).isEqualTo(live.head().hash());
            assertThat(NaiveIndexes.read(live)).as(what).isEqualTo(NaiveIndexes.compute(live));
            assertThat(NaiveIndexes.read(loaded)).as(what).isEqualTo(NaiveIndexes.compute(live));
            assertThat(planned(done.plan())).as("the plan of " + what).isEqualTo(AllAnswers.changes(before, after));
            assertThat(pages(live)).as("cached answers after " + what).isEqualTo(after.texts());
            holds(after, what);
            proofs(after, what);
            lives(live, what);
        }

        /** Every answer as a poll gets it, through a cache that lives as long as the fleet. */
        private SortedMap<String, String> pages(Snapshot live) {
            SortedMap<String, String> pages = new TreeMap<>();
            for (Document cluster : live.all(Types.CLUSTER).values()) {
                for (String name : live.types().itemTypes()) {
                    TypeDefinition type = live.types().named(name).orElseThrow();
                    String flat = page(live, cluster, type, WireShape.FLAT);
                    String set = page(live, cluster, type, WireShape.SET);
                    pages.put(cluster.id() + "/" + name, flat.equals(set) ? flat : flat + "\n" + set);
                }
            }
            return pages;
        }

        private String page(Snapshot live, Document cluster, TypeDefinition type, WireShape shape) {
            return switch (book.look(live, cluster, type, shape)) {
                case AnswerBook.Page.Ready ready -> new String(ready.entry().body(), StandardCharsets.UTF_8);
                case AnswerBook.Page.Hold hold -> "hold: " + hold.reason();
                case AnswerBook.Page.Detached _ -> "detached";
            };
        }

        /** A commit never brings a cluster to where it gets no answer. */
        private void holds(AllAnswers after, String what) {
            after.answers().forEach((place, answer) -> {
                if (answer instanceof Answer.Hold hold) {
                    assertThat(before.answers().get(place))
                            .as(hold.reason() + " at " + place + " by " + what)
                            .isInstanceOf(Answer.Hold.class);
                }
            });
        }

        private void proofs(AllAnswers after, String what) {
            after.answers().forEach((place, answer) -> {
                if (answer instanceof Answer.ConfirmedEmpty empty) {
                    String id = empty.cluster().id();
                    long revision = switch (empty.proof()) {
                        case Proof.SinceBirth birth -> birth.revision();
                        case Proof.Emptied emptied -> emptied.revision();
                        case Proof.Decommissioned gone -> gone.revision();
                    };
                    RecordedCommit commit = fleet.store.commit(revision).orElseThrow();
                    assertThat(commit.changes())
                            .as(place + " is empty by " + empty.proof() + " after " + what)
                            .anyMatch(change -> change.key().equals(new DocumentKey(Types.CLUSTER, id))
                                    || change.key().equals(new DocumentKey(Types.CLUSTER_LIFE, id)));
                }
            });
        }

        /** What is recorded about a cluster goes with the cluster. */
        private static void lives(Snapshot live, String what) {
            live.all(Types.CLUSTER_LIFE)
                    .values()
                    .forEach(life -> assertThat(live.find(new DocumentKey(Types.CLUSTER, life.id())))
                            .as(life.key() + " after " + what)
                            .isPresent());
        }

        private void catchUpReplay() {
            for (RecordedCommit commit : fleet.store.after(replayed.revision(), 1_000)) {
                replayed = Projection.apply(replayed, commit);
            }
        }

        private Snapshot replayFromTheStart() {
            Snapshot snapshot = SnapshotLoader.empty(BuiltInTypes.catalog());
            for (RecordedCommit commit : fleet.store.after(0, 100_000)) {
                snapshot = Projection.apply(snapshot, commit);
            }
            return snapshot;
        }

        private List<Operation> request() {
            if (generator.chance(15)) {
                List<Operation> batch = new ArrayList<>();
                for (int left = random.nextInt(2, 5); left > 0; left--) {
                    batch.add(operation());
                }
                return batch;
            }
            if (generator.chance(5)) {
                long revision = random.nextLong(1, fleet.snapshot().revision() + 1);
                return Undoing.commit(fleet.store, revision);
            }
            return List.of(operation());
        }

        private Operation operation() {
            String cluster = generator.one(CLUSTERS);
            if (random.nextInt(4) == 0) {
                fleet.contact.polled.add(cluster);
            }
            return switch (random.nextInt(24)) {
                case 0 -> new Operation.Decommission(cluster, Optional.empty(), namespaces());
                case 1 ->
                    new Operation.Decommission(
                            cluster, Optional.of(fleet.now.plus(Duration.ofHours(random.nextInt(1, 9)))), namespaces());
                case 2, 3 -> new Operation.Undelete(cluster);
                case 4 -> new Operation.Detach(cluster);
                case 5 -> new Operation.Pause(cluster, new Note("alice", "a reason", null));
                case 6 -> new Operation.Resume(cluster);
                case 7 -> new Operation.Purge(cluster, random.nextBoolean());
                case 8 -> TestFleet.delete(Types.CLUSTER, cluster);
                case 9 -> freeze(cluster);
                case 10 -> TestFleet.delete(Types.FREEZE, "freeze-" + random.nextInt(3));
                case 11 -> deleteSomething();
                case 12, 13, 14 -> putSomething();
                case 15, 16 -> new Operation.Create(new DocumentKey(Types.CLUSTER, cluster), cluster(cluster));
                case 17, 18 -> new Operation.Put(new DocumentKey(Types.CLUSTER, cluster), cluster(cluster));
                case 19 -> relayered(cluster);
                case 20 -> renamed(cluster);
                default -> putLayer();
            };
        }

        private Operation.Decommission.Namespaces namespaces() {
            return generator.one(List.of(Operation.Decommission.Namespaces.values()));
        }

        private ObjectNode cluster(String id) {
            ObjectNode body = generator.cluster(id);
            if (generator.chance(20)) {
                body.put("expires_at", generator.expiry());
            }
            if (generator.chance(20)) {
                body.putArray("dns_aliases")
                        .addObject()
                        .put("dns", "old-" + random.nextInt(8) + ".example.com")
                        .put("expires_at", generator.expiry());
            }
            return body;
        }

        private Operation relayered(String cluster) {
            ObjectNode layer = StrictJson.object();
            generator.layer(layer);
            return TestFleet.edit(Types.CLUSTER, cluster, body -> {
                body.remove(List.of("platform_components", "namespaces", "rolebindings", "refs", "patches"));
                body.setAll(layer);
                return body;
            });
        }

        private Operation renamed(String cluster) {
            String dns = "dns-" + random.nextInt(8) + ".example.com";
            return TestFleet.edit(Types.CLUSTER, cluster, body -> body.put("cluster_dns", dns));
        }

        private Operation freeze(String cluster) {
            ObjectNode body = StrictJson.object().put("reason", "a freeze");
            ObjectNode scope = body.putObject("scope");
            switch (random.nextInt(4)) {
                case 0 -> scope.put("environment", generator.one(FleetGenerator.ENVIRONMENTS));
                case 1 -> scope.put("workspace", generator.one(FleetGenerator.WORKSPACES));
                case 2 -> scope.put("cluster", cluster);
                default -> scope.put("fleet", true);
            }
            if (generator.chance(30)) {
                body.put("expires_at", generator.expiry());
            }
            return new Operation.Put(new DocumentKey(Types.FREEZE, "freeze-" + random.nextInt(3)), body);
        }

        private Operation deleteSomething() {
            return switch (random.nextInt(6)) {
                case 0 -> TestFleet.delete(Types.PLATFORM_COMPONENT, generator.one(FleetGenerator.HELM));
                case 1 -> TestFleet.delete(Types.NAMESPACE, generator.one(FleetGenerator.NAMESPACES));
                case 2 -> TestFleet.delete(Types.ROLEBINDING, generator.one(FleetGenerator.ROLEBINDINGS));
                case 3 -> TestFleet.delete(FleetGenerator.RUNTIME_TYPE, generator.one(FleetGenerator.POLICIES));
                case 4 -> TestFleet.delete(Types.WORKSPACE, generator.one(FleetGenerator.WORKSPACES));
                default -> TestFleet.delete(Types.CLUSTER_TEMPLATE, generator.one(FleetGenerator.TEMPLATES));
            };
        }

        private Operation putSomething() {
            List<String> components = new ArrayList<>(FleetGenerator.HELM);
            components.addAll(FleetGenerator.KUSTOMIZE);
            String component = generator.one(components);
            String namespace = generator.one(FleetGenerator.NAMESPACES);
            String binding = generator.one(FleetGenerator.ROLEBINDINGS);
            String policy = generator.one(FleetGenerator.POLICIES);
            return switch (random.nextInt(5)) {
                case 0 -> put(Types.NAMESPACE, namespace, generator.namespace(namespace));
                case 1 -> put(Types.ROLEBINDING, binding, generator.rolebinding(binding));
                case 2 -> put(FleetGenerator.RUNTIME_TYPE, policy, generator.policy(policy));
                default -> put(Types.PLATFORM_COMPONENT, component, generator.component(component));
            };
        }

        private Operation putLayer() {
            String environment = generator.one(FleetGenerator.ENVIRONMENTS);
            String workspace = generator.one(FleetGenerator.WORKSPACES);
            String template = generator.one(FleetGenerator.TEMPLATES);
            return switch (random.nextInt(3)) {
                case 0 -> put(Types.ENVIRONMENT, environment, generator.environment(environment));
                case 1 -> put(Types.WORKSPACE, workspace, generator.shared(workspace));
                default -> put(Types.CLUSTER_TEMPLATE, template, generator.shared(template));
            };
        }

        private static Operation put(String type, String id, ObjectNode body) {
            return new Operation.Put(new DocumentKey(type, id), body);
        }
    }

    private static Map<DocumentKey, List<Object>> documents(Snapshot snapshot) {
        Map<DocumentKey, List<Object>> all = new TreeMap<>();
        for (TypeDefinition type : snapshot.types().all()) {
            for (Document document : snapshot.all(type.name()).values()) {
                all.put(document.key(), List.of(document.created(), document.updated(), document.body()));
            }
        }
        return all;
    }

    /** {@code cluster/type kind id}, as the plan has it. */
    private static SortedSet<String> planned(Plan plan) {
        SortedSet<String> all = new TreeSet<>();
        for (Plan.Group group : plan.groups()) {
            for (ItemChange change : group.changes()) {
                group.clusters()
                        .forEach(cluster ->
                                all.add(cluster + "/" + group.type() + " " + change.kind() + " " + change.id()));
            }
            if (group.empties()) {
                group.clusters().forEach(cluster -> all.add(cluster + "/" + group.type() + " is empty"));
            }
        }
        return all;
    }
}
