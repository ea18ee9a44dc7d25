package dev.homeport.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Note;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.Cases;
import dev.homeport.support.FleetGenerator;
import dev.homeport.support.FluxFleet;
import dev.homeport.support.TestFleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * Any operation, made from anything, on any fleet: when a cluster outside loses something, the log holds a confirmation of that
 * very plan, or the request named what goes, or it is so little that the rule needs neither. The rule is written down here a second
 * time and shares nothing with the guards.
 */
@Tag("properties")
class NeverWipeProperties {
    private static final int OPERATIONS = 150;
    private static final List<String> CLUSTERS =
            List.of("ams1", "ber1", "cph1", "dub1", "edi1", "fra1", "gva1", "hel1");
    private static final List<String> TEMPLATES = List.of(
            "<<- range $i := inputs.items >>\n---\nkind: \"NetworkPolicy\"\nmetadata:\n  name: << $i.id | toJson >>\n<<- end >>",
            "<<- range $i := inputs.items >>\n---\nkind: \"Policy\"\nmetadata:\n  name: << $i.id | toJson >>\n<<- end >>",
            "<<- range $i := inputs.items >>\n---\nkind: \"Policy\"\nmetadata:\n  name: << $i.level | toJson >>\n<<- end >>");

    @TempDir
    Path directory;

    private final List<Path> made = new ArrayList<>();

    @Test
    void nothingIsLostThatNobodyConfirmed() {
        int[] count = new int[5];
        Cases.forAll(Math.max(1, Cases.count() / 1_000), random -> {
            Path place = Files.createTempDirectory(memory(), "fleet");
            try (TestFleet fleet = TestFleet.sqlite(place)) {
                Life life = new Life(fleet, random);
                life.live();
                count[0] += life.commits;
                count[1] += life.losses;
                count[2] += life.confirmed;
                count[3] += life.swept;
                count[4] += life.emptiedLists;
            }
        });
        // Otherwise the property says nothing.
        assertThat(count[0]).as("commits").isPositive();
        assertThat(count[1]).as("losses").isPositive();
        assertThat(count[2]).as("confirmed losses").isPositive();
    }

    private Path memory() throws IOException {
        Path shared = Path.of("/dev/shm");
        Path place = Files.createTempDirectory(Files.isWritable(shared) ? shared : directory, "homeport");
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
        private final TestFleet fleet;
        private final SplittableRandom random;
        private final FleetGenerator generator;
        private final FluxFleet outside = new FluxFleet();
        /** Clusters whose end was set by a direct or confirmed request. */
        private final Set<String> ends = new HashSet<>();

        private int commits;
        private int losses;
        private int confirmed;
        private int swept;
        private int emptiedLists;

        Life(TestFleet fleet, SplittableRandom random) {
            this.fleet = fleet;
            this.random = random;
            this.generator = new FleetGenerator(random);
            generator.fleet().forEach((key, body) -> {
                if (!key.type().equals(Types.CLUSTER)) {
                    fleet.confirm(new Operation.Put(
                            key, key.type().equals(Types.TYPE) ? body.put("template", TEMPLATES.getFirst()) : body));
                }
            });
            CLUSTERS.forEach(id -> attempt(new Operation.Create(new DocumentKey(Types.CLUSTER, id), cluster(id))));
            CLUSTERS.forEach(id -> outside.setUp(id + ".k8s.example.com"));
            outside.poll(fleet.snapshot(), fleet.snapshot(), fleet.contact);
        }

        void live() {
            for (int step = 0; step < OPERATIONS; step++) {
                fleet.advance(Duration.ofMinutes(generator.chance(10) ? random.nextInt(1, 20_000) : 1));
                if (generator.chance(8)) {
                    sweep();
                } else {
                    attempt(request());
                }
            }
        }

        private void attempt(Operation operation) {
            attempt(WriteRequest.of(TestFleet.ALICE, "a case", operation).with(WriteRequest.Flag.DIRECT));
        }

        private void attempt(WriteRequest request) {
            Snapshot before = fleet.snapshot();
            AllAnswers answers = AllAnswers.of(before);
            try {
                committed(before, answers, request, fleet.writer.write(request), false);
            } catch (ConfirmationRequired e) {
                if (generator.chance(70)) {
                    Outcome outcome = fleet.writer.write(request.confirmedBy(e.token()));
                    committed(before, answers, request, outcome, true);
                }
            } catch (ProblemException e) {
                assertThat(fleet.store.head()).isEqualTo(before.head());
            }
        }

        private void committed(
                Snapshot before, AllAnswers answers, WriteRequest request, Outcome outcome, boolean byToken) {
            if (!(outcome instanceof Outcome.Committed done)) {
                return;
            }
            commits++;
            boolean marked = done.plan().hash().equals(done.commit().marks().getOrDefault("confirmed", ""));
            assertThat(marked).as("the log knows of the confirmation").isEqualTo(byToken);
            drained();
            check(before, answers, request, marked);
            noteEnds(before, request, marked);
        }

        private void sweep() {
            Snapshot before = fleet.snapshot();
            new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(before, fleet.now);
            List<FluxFleet.Loss> lost = outside.poll(before, fleet.snapshot(), fleet.contact);
            for (FluxFleet.Loss loss : lost) {
                swept++;
                boolean small = loss.emptied().isEmpty() && loss.guarded().isEmpty();
                boolean ended = ends.contains(loss.cluster()) && !isProtected(before, loss.cluster());
                assertThat(small || ended || confirmedSince(before))
                        .as("the sweep took " + loss)
                        .isTrue();
            }
        }

        /** Whether the sweep made a commit with the confirmation of its own plan. */
        private boolean confirmedSince(Snapshot before) {
            return fleet.store.after(before.revision(), 1_000).stream()
                    .anyMatch(commit -> commit.commit().marks().containsKey("confirmed"));
        }

        private void check(Snapshot before, AllAnswers answers, WriteRequest request, boolean marked) {
            Snapshot after = fleet.snapshot();
            List<FluxFleet.Loss> lost = outside.poll(before, after, fleet.contact);
            losses += lost.size();
            confirmed += marked ? lost.size() : 0;
            String what = request.operations() + " " + request.flags();
            if (!marked) {
                long allowed = allowed(before);
                assertThat(lost.stream().map(FluxFleet.Loss::cluster).distinct().count())
                        .as(what + " took " + lost)
                        .isLessThanOrEqualTo(allowed);
                for (FluxFleet.Loss loss : lost) {
                    boolean small = loss.emptied().isEmpty() && loss.guarded().isEmpty();
                    assertThat(small || isNamed(before, after, request, loss.cluster()))
                            .as(what + " took " + loss)
                            .isTrue();
                    assertThat(loss.guarded().stream().noneMatch(item -> item.startsWith("platform-components/"))
                                    || isClusterRemoval(request))
                            .as(what + " took something stateful: " + loss)
                            .isTrue();
                    assertThat(loss.remade().isEmpty() || !loss.remadeGuarded() && !isProtected(before, loss.cluster()))
                            .as(what + " made other objects: " + loss)
                            .isTrue();
                }
                assertThat(unprotected(before, after))
                        .as(what + " took protection away")
                        .isEmpty();
                Map<String, Set<String>> emptied = lists(before);
                emptied.keySet().removeAll(lists(after).keySet());
                emptied.forEach((list, clusters) -> assertThat(isRemovalOf(request, clusters))
                        .as(what + " emptied the cluster list of " + list)
                        .isTrue());
                emptiedLists += emptied.size();
            }
            frozen(before, after, answers, request, what);
            paused(before, after, answers, what);
        }

        /** The cluster lists that provisioners may ask for, each with its clusters. */
        private static Map<String, Set<String>> lists(Snapshot snapshot) {
            Map<String, Set<String>> lists = new TreeMap<>();
            for (Document document : snapshot.all(Types.CLUSTER).values()) {
                String environment = document.tree().path("environment").asString("");
                String workspace = document.tree().path("workspace").asString("");
                List<String> own = new ArrayList<>(List.of("the fleet", "environment " + environment));
                if (!workspace.isEmpty()) {
                    own.add("workspace " + workspace);
                    own.add("workspace " + workspace + " in " + environment);
                }
                own.forEach(list ->
                        lists.computeIfAbsent(list, name -> new TreeSet<>()).add(document.id()));
            }
            return lists;
        }

        /** A request of its own that names the only cluster of a list, to take it away. */
        private static boolean isRemovalOf(WriteRequest request, Set<String> clusters) {
            return request.has(WriteRequest.Flag.DIRECT)
                    && request.operations().size() == 1
                    && clusters.equals(
                            Set.of(request.operations().getFirst().key().id()))
                    && switch (request.operations().getFirst()) {
                        case Operation.Delete _, Operation.Purge _ -> true;
                        default -> false;
                    };
        }

        /** It names the cluster, and Flux keeps what is stateful. */
        private static boolean isClusterRemoval(WriteRequest request) {
            return switch (request.operations().getFirst()) {
                case Operation.Delete _, Operation.Decommission _ -> true;
                default -> false;
            };
        }

        private static long allowed(Snapshot before) {
            ObjectNode settings = before.document(Types.SETTINGS, "fleet").tree();
            long most = settings.path("guards").path("max_clusters_losing").longValue(5);
            double share = settings.path("guards").path("max_share_losing").doubleValue(0.01);
            return Math.max(most, (long) (share * count(before)));
        }

        private static long count(Snapshot snapshot) {
            return StreamSupport.stream(snapshot.all(Types.CLUSTER).values().spliterator(), false)
                    .count();
        }

        /** One direct operation on this cluster that neither moves nor creates it. */
        private static boolean isNamed(Snapshot before, Snapshot after, WriteRequest request, String cluster) {
            if (!request.has(WriteRequest.Flag.DIRECT)
                    || request.operations().size() != 1
                    || !request.operations().getFirst().key().equals(new DocumentKey(Types.CLUSTER, cluster))
                    || isProtected(before, cluster)) {
                return false;
            }
            return switch (request.operations().getFirst()) {
                case Operation.Delete _, Operation.Decommission _ -> true;
                case Operation.Put _, Operation.Replace _, Operation.Edit _ -> {
                    Document was = before.document(Types.CLUSTER, cluster);
                    Document is = after.document(Types.CLUSTER, cluster);
                    yield was != null
                            && is != null
                            && Stream.of("environment", "workspace", "template")
                                    .allMatch(field -> was.tree()
                                            .path(field)
                                            .equals(is.tree().path(field)));
                }
                default -> false;
            };
        }

        private static boolean isProtected(Snapshot snapshot, String cluster) {
            Document document = snapshot.document(Types.CLUSTER, cluster);
            if (document == null) {
                return false;
            }
            ObjectNode body = document.tree();
            if (body.has("protected")) {
                return body.get("protected").booleanValue();
            }
            int highest = Integer.MIN_VALUE;
            int own = Integer.MIN_VALUE;
            for (Document environment : snapshot.all(Types.ENVIRONMENT).values()) {
                int order = environment.tree().path("order").intValue(0);
                highest = Math.max(highest, order);
                own = environment.id().equals(body.get("environment").stringValue()) ? order : own;
            }
            return own == highest;
        }

        private static List<String> unprotected(Snapshot before, Snapshot after) {
            List<String> lost = new ArrayList<>();
            for (Document cluster : before.all(Types.CLUSTER).values()) {
                boolean there = after.document(Types.CLUSTER, cluster.id()) != null;
                boolean leaving = life(before, cluster.id()).phase() == ClusterLife.Phase.LEAVING;
                if (there && !leaving && isProtected(before, cluster.id()) && !isProtected(after, cluster.id())) {
                    lost.add(cluster.id());
                }
            }
            return lost;
        }

        private static ClusterLife life(Snapshot snapshot, String cluster) {
            return ClusterLife.of(snapshot.document(Types.CLUSTER_LIFE, cluster));
        }

        private static void frozen(
                Snapshot before, Snapshot after, AllAnswers answers, WriteRequest request, String what) {
            if (request.has(WriteRequest.Flag.HOTFIX)) {
                return;
            }
            AllAnswers now = AllAnswers.of(after);
            answers.texts().forEach((place, text) -> {
                String id = place.substring(0, place.indexOf('/'));
                String is = now.texts().get(place);
                boolean served = is != null && text.startsWith("{") && is.startsWith("{");
                if (served && !text.equals(is)) {
                    assertThat(isFrozen(before, before.document(Types.CLUSTER, id)))
                            .as(what + " changed the frozen " + place)
                            .isFalse();
                }
            });
        }

        private static boolean isFrozen(Snapshot snapshot, Document cluster) {
            Cluster read = Cluster.of(cluster);
            for (Document freeze : snapshot.all(Types.FREEZE).values()) {
                var scope = freeze.tree().path("scope");
                if (scope.path("fleet").booleanValue(false)
                        || scope.path("environment").asString("-").equals(read.environment())
                        || scope.path("workspace").asString("-").equals(Objects.toString(read.workspace(), "+"))
                        || scope.path("cluster").asString("-").equals(read.id())) {
                    return true;
                }
            }
            return false;
        }

        private static void paused(Snapshot before, Snapshot after, AllAnswers answers, String what) {
            AllAnswers now = AllAnswers.of(after);
            for (Document cluster : before.all(Types.CLUSTER).values()) {
                ClusterLife was = life(before, cluster.id());
                boolean kept = was.phase() == ClusterLife.Phase.ACTIVE
                        && was.pause() != null
                        && !was.releasing()
                        && life(after, cluster.id()).equals(was);
                if (kept) {
                    answers.texts().forEach((place, text) -> {
                        if (place.startsWith(cluster.id() + "/") && now.texts().containsKey(place)) {
                            assertThat(now.texts().get(place))
                                    .as(what + " changed the paused " + place)
                                    .isEqualTo(text);
                        }
                    });
                }
            }
        }

        /** What clusters report when everything is gone. */
        private void drained() {
            fleet.contact.drained.clear();
            for (Document cluster : fleet.snapshot().all(Types.CLUSTER).values()) {
                boolean gone = outside.machines().stream()
                        .filter(machine -> fleet.snapshot()
                                .clusterByDns(machine.dns)
                                .filter(found -> found.id().equals(cluster.id()))
                                .isPresent())
                        .allMatch(FluxFleet.Machine::isEmpty);
                if (gone && life(fleet.snapshot(), cluster.id()).phase() == ClusterLife.Phase.LEAVING) {
                    fleet.contact.drained.add(cluster.id());
                }
            }
        }

        private void noteEnds(Snapshot before, WriteRequest request, boolean marked) {
            for (String id : CLUSTERS) {
                Map<String, String> was = ends(before, id);
                Map<String, String> is = ends(fleet.snapshot(), id);
                if (is.isEmpty()) {
                    ends.remove(id);
                } else if (!is.equals(was)) {
                    boolean named = request.has(WriteRequest.Flag.DIRECT)
                            && request.operations().getFirst().key().equals(new DocumentKey(Types.CLUSTER, id));
                    if (marked || named) {
                        ends.add(id);
                    } else if (was.isEmpty()) {
                        ends.remove(id);
                    }
                }
            }
        }

        private static Map<String, String> ends(Snapshot snapshot, String cluster) {
            Map<String, String> ends = new HashMap<>();
            Document document = snapshot.document(Types.CLUSTER, cluster);
            if (document != null && document.tree().has("expires_at")) {
                ends.put("expires_at", document.tree().get("expires_at").stringValue());
            }
            ClusterLife life = life(snapshot, cluster);
            if (life.leaveAt() != null) {
                ends.put("leave_at", life.leaveAt().toString());
            }
            if (life.releasing()) {
                ends.put("releasing", "true");
            }
            return ends;
        }

        /** One operation or several, and where they come from. */
        private WriteRequest request() {
            List<Operation> operations = new ArrayList<>();
            boolean direct = false;
            boolean imported = false;
            switch (random.nextInt(10)) {
                case 0 -> { // a batch, or an import with its removals
                    for (int left = random.nextInt(2, 5); left > 0; left--) {
                        operations.add(operation());
                    }
                    imported = random.nextBoolean();
                }
                case 1 -> // a revert
                    operations.addAll(Undoing.commit(
                            fleet.store, random.nextLong(1, fleet.snapshot().revision() + 1)));
                case 2 -> { // a restore
                    long revision = random.nextLong(1, fleet.snapshot().revision() + 1);
                    operations.addAll(Undoing.document(fleet.store, operation().key(), revision));
                }
                case 3, 4 -> { // a selector that matches one, an import of one document, one that prunes
                    operations.add(operation());
                    imported = random.nextBoolean();
                }
                default -> {
                    operations.add(operation());
                    direct = true;
                }
            }
            WriteRequest request = WriteRequest.of(TestFleet.ALICE, "a case", operations);
            if (direct) {
                request = request.with(WriteRequest.Flag.DIRECT);
            }
            if (imported) {
                request = request.with(WriteRequest.Flag.IMPORTED);
            }
            return generator.chance(30) ? request.with(WriteRequest.Flag.HOTFIX) : request;
        }

        private Operation operation() {
            String cluster = generator.one(CLUSTERS);
            return switch (random.nextInt(34)) {
                case 0 -> new Operation.Decommission(cluster, Optional.empty(), namespaces());
                case 1 ->
                    new Operation.Decommission(
                            cluster, Optional.of(fleet.now.plus(Duration.ofHours(random.nextInt(1, 9)))), namespaces());
                case 2, 3 -> new Operation.Undelete(cluster);
                case 4 -> new Operation.Detach(cluster);
                case 5 -> new Operation.Pause(cluster, new Note("alice", "a reason", until()));
                case 6 -> new Operation.Resume(cluster);
                case 7 -> new Operation.Purge(cluster, random.nextBoolean());
                case 8 -> TestFleet.delete(Types.CLUSTER, cluster);
                case 9 -> freeze(cluster);
                case 10, 11 -> TestFleet.delete(Types.FREEZE, "freeze-" + random.nextInt(2));
                case 12 -> deleteSomething();
                case 13, 14, 15 -> putSomething();
                case 16, 17 -> new Operation.Create(new DocumentKey(Types.CLUSTER, cluster), cluster(cluster));
                case 18 -> new Operation.Put(new DocumentKey(Types.CLUSTER, cluster), cluster(cluster));
                case 19 -> relayered(cluster);
                case 20 -> edited(cluster, "cluster_dns", generator.one(CLUSTERS) + ".k8s.example.com");
                case 21 -> edited(cluster, "environment", generator.one(FleetGenerator.ENVIRONMENTS));
                case 22 -> shielded(cluster, random.nextBoolean());
                case 23 ->
                    edited(
                            cluster,
                            "expires_at",
                            fleet.now
                                    .plus(Duration.ofHours(random.nextInt(-9, 99)))
                                    .toString());
                case 24 -> template();
                case 25 -> environments();
                case 26 -> settings();
                case 27 ->
                    new Operation.Replace(new DocumentKey(Types.CLUSTER, cluster), cluster(cluster), Expected.ANY);
                case 28 -> new Operation.Repair(cluster, Optional.empty());
                case 29 -> new Operation.Watch("observer-" + random.nextInt(3));
                case 30 -> cloned(cluster);
                default -> putLayer();
            };
        }

        /** As clone does: the document of another cluster under this one's names. */
        private Operation cloned(String cluster) {
            Document from = fleet.snapshot().document(Types.CLUSTER, generator.one(CLUSTERS));
            ObjectNode body = from == null ? cluster(cluster) : from.tree();
            body.remove("dns_aliases");
            return new Operation.Create(
                    new DocumentKey(Types.CLUSTER, cluster),
                    body.put("cluster_name", cluster).put("cluster_dns", cluster + ".k8s.example.com"));
        }

        private java.time.Instant until() {
            return random.nextBoolean() ? null : fleet.now.plus(Duration.ofHours(random.nextInt(1, 9)));
        }

        private Operation.Decommission.Namespaces namespaces() {
            return generator.one(List.of(Operation.Decommission.Namespaces.values()));
        }

        private static Operation edited(String cluster, String field, String value) {
            return TestFleet.edit(Types.CLUSTER, cluster, body -> body.put(field, value));
        }

        private static Operation shielded(String cluster, boolean flag) {
            return TestFleet.edit(Types.CLUSTER, cluster, body -> body.put("protected", flag));
        }

        private Operation template() {
            String text = generator.one(TEMPLATES);
            return TestFleet.edit(Types.TYPE, FleetGenerator.RUNTIME_TYPE, body -> body.put("template", text));
        }

        private Operation environments() {
            return switch (random.nextInt(3)) {
                case 0 ->
                    put(
                            Types.ENVIRONMENT,
                            "extra",
                            StrictJson.object().put("id", "extra").put("order", random.nextInt(5, 20)));
                case 1 -> TestFleet.delete(Types.ENVIRONMENT, "extra");
                default -> {
                    int order = random.nextInt(5, 20);
                    String environment = generator.one(FleetGenerator.ENVIRONMENTS);
                    yield TestFleet.edit(Types.ENVIRONMENT, environment, body -> body.put("order", order));
                }
            };
        }

        private Operation settings() {
            int format = random.nextInt(1, 4);
            int most = random.nextInt(0, 4);
            return TestFleet.edit(Types.SETTINGS, "fleet", body -> {
                body.put("answer_format", format);
                body.putObject("guards").put("max_clusters_losing", most).put("max_share_losing", 0.0);
                return body;
            });
        }

        private ObjectNode cluster(String id) {
            ObjectNode body = generator.cluster(id);
            if (generator.chance(15)) {
                body.put(
                        "expires_at",
                        fleet.now.plus(Duration.ofHours(random.nextInt(1, 99))).toString());
            }
            if (generator.chance(15)) {
                body.putArray("dns_aliases")
                        .addObject()
                        .put("dns", generator.one(CLUSTERS) + ".k8s.example.com")
                        .put(
                                "expires_at",
                                fleet.now
                                        .plus(Duration.ofHours(random.nextInt(1, 99)))
                                        .toString());
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

        private Operation freeze(String cluster) {
            ObjectNode body = StrictJson.object().put("reason", "a freeze");
            ObjectNode scope = body.putObject("scope");
            switch (random.nextInt(4)) {
                case 0 -> scope.put("environment", generator.one(FleetGenerator.ENVIRONMENTS));
                case 1 -> scope.put("workspace", generator.one(FleetGenerator.WORKSPACES));
                case 2 -> scope.put("cluster", cluster);
                default -> scope.put("fleet", true);
            }
            return new Operation.Put(new DocumentKey(Types.FREEZE, "freeze-" + random.nextInt(2)), body);
        }

        private Operation deleteSomething() {
            return switch (random.nextInt(6)) {
                case 0 -> TestFleet.delete(Types.PLATFORM_COMPONENT, generator.one(FleetGenerator.HELM));
                case 1 -> TestFleet.delete(Types.NAMESPACE, generator.one(FleetGenerator.NAMESPACES));
                case 2 -> TestFleet.delete(Types.ROLEBINDING, generator.one(FleetGenerator.ROLEBINDINGS));
                case 3 -> TestFleet.delete(FleetGenerator.RUNTIME_TYPE, generator.one(FleetGenerator.POLICIES));
                case 4 -> TestFleet.delete(Types.WORKSPACE, generator.one(FleetGenerator.WORKSPACES));
                default -> TestFleet.delete(Types.TYPE, FleetGenerator.RUNTIME_TYPE);
            };
        }

        private Operation putSomething() {
            List<String> components = new ArrayList<>(FleetGenerator.HELM);
            components.addAll(FleetGenerator.KUSTOMIZE);
            String component = generator.one(components);
            String namespace = generator.one(FleetGenerator.NAMESPACES);
            String binding = generator.one(FleetGenerator.ROLEBINDINGS);
            String policy = generator.one(FleetGenerator.POLICIES);
            return switch (random.nextInt(6)) {
                case 0 -> put(Types.NAMESPACE, namespace, generator.namespace(namespace));
                case 1 -> put(Types.ROLEBINDING, binding, generator.rolebinding(binding));
                case 2 -> put(FleetGenerator.RUNTIME_TYPE, policy, generator.policy(policy));
                case 3 ->
                    TestFleet.edit(
                            Types.PLATFORM_COMPONENT,
                            component,
                            body -> body.put("target_namespace", namespace.equals("0day") ? "day" : namespace));
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
}
