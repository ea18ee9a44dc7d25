package dev.homeport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.support.Cases;
import dev.homeport.support.FleetGenerator;
import dev.homeport.support.FluxClientRules;
import dev.homeport.support.InMemoryView;
import dev.homeport.support.ReferenceMerge;
import dev.homeport.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What holds for every fleet. */
@Tag("properties")
class MergeProperties {
    private static final String COMPONENTS = "platform_components";

    /** Every answer of a fleet in both shapes: {@code cluster/plural/shape} to text; what holds is left out. */
    private static SortedMap<String, String> answers(Map<DocumentKey, ObjectNode> fleet) {
        InMemoryView view = new InMemoryView(fleet);
        SortedMap<String, String> all = new TreeMap<>();
        for (Document cluster : view.clusters()) {
            for (TypeDefinition type : view.itemTypes()) {
                if (Answers.of(view, cluster, type) instanceof Answer.Served served) {
                    for (WireShape shape : WireShape.values()) {
                        Rendered rendered = Rendering.render(served, shape);
                        if (shape == WireShape.SET) {
                            FluxClientRules.checkSet(rendered);
                        } else {
                            FluxClientRules.check(rendered);
                        }
                        all.put(
                                cluster.id() + "/" + type.plural() + "/" + shape,
                                new String(rendered.body(), StandardCharsets.UTF_8));
                    }
                }
            }
        }
        return all;
    }

    /** The items of one type, by cluster and id, as flat text without the cluster block. A cluster that holds is absent. */
    private static Map<String, SortedMap<String, String>> items(Map<DocumentKey, ObjectNode> fleet, String plural) {
        Map<String, SortedMap<String, String>> all = new TreeMap<>();
        InMemoryView view = new InMemoryView(fleet);
        TypeDefinition type = view.types().withPlural(plural).orElseThrow();
        for (Document cluster : view.clusters()) {
            if (Resolver.resolve(view, cluster, type) instanceof Resolution.Items found) {
                SortedMap<String, String> items = new TreeMap<>();
                found.items()
                        .forEach(item -> items.put(item.id(), new String(item.flatBytes(), StandardCharsets.UTF_8)));
                all.put(cluster.id(), items);
            }
        }
        return all;
    }

    private static Map<DocumentKey, ObjectNode> copy(Map<DocumentKey, ObjectNode> fleet) {
        Map<DocumentKey, ObjectNode> copy = new LinkedHashMap<>();
        fleet.forEach((key, body) -> copy.put(key, body.deepCopy()));
        return copy;
    }

    private static ObjectNode body(Map<DocumentKey, ObjectNode> fleet, String type, String id) {
        return fleet.get(new DocumentKey(type, id));
    }

    private static ArrayNode list(ObjectNode layer, String field) {
        return layer.has(field) ? (ArrayNode) layer.get(field) : layer.putArray(field);
    }

    private static Optional<ObjectNode> find(ArrayNode list, String id) {
        for (JsonNode entry : list) {
            if (entry.get("id").stringValue().equals(id)) {
                return Optional.of((ObjectNode) entry);
            }
        }
        return Optional.empty();
    }

    private static void drop(ArrayNode list, String id) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).get("id").stringValue().equals(id)) {
                list.remove(i);
            }
        }
    }

    @Test
    @Requirement({"A2", "A4", "B12"})
    void theResolverAgreesWithTheReference() {
        Cases.forAll(random -> {
            Map<DocumentKey, ObjectNode> fleet = new FleetGenerator(random).fleet();
            InMemoryView view = new InMemoryView(fleet);
            ReferenceMerge reference = new ReferenceMerge(fleet);
            for (Document cluster : view.clusters()) {
                for (TypeDefinition type : view.itemTypes()) {
                    Answer answer = Answers.of(view, cluster, type);
                    Optional<SortedMap<String, ReferenceMerge.Expected>> expected =
                            reference.items(cluster.id(), type.name(), type.plural());
                    if (expected.isEmpty()) {
                        assertThat(answer).isInstanceOf(Answer.Hold.class);
                        assertThat(Resolver.resolve(view, cluster, type)).isInstanceOf(Resolution.Unknown.class);
                    } else {
                        assertThat(answer).isInstanceOf(Answer.Served.class);
                        compare(cluster, (Answer.Served) answer, expected.get());
                    }
                }
            }
        });
    }

    private static void compare(
            Document cluster, Answer.Served answer, SortedMap<String, ReferenceMerge.Expected> expected) {
        ObjectNode own = cluster.tree();
        ObjectNode block = StrictJson.object();
        block.set("name", own.get("cluster_name"));
        block.set("dns", own.get("cluster_dns"));
        block.set("environment", own.get("environment"));
        ArrayNode flat = StrictJson.object().putArray("inputs");
        ArrayNode items = StrictJson.object().putArray("items");
        expected.values().forEach(item -> {
            flat.add(item.flat().deepCopy().set("cluster", block));
            if (item.enabled()) {
                items.add(item.set());
            }
        });
        assertThat(FluxClientRules.check(Rendering.render(answer, WireShape.FLAT))
                        .get("inputs"))
                .isEqualTo(flat);
        ObjectNode set = FluxClientRules.checkSet(Rendering.render(answer, WireShape.SET));
        assertThat(set.get("items")).isEqualTo(items);
        assertThat(set.get("cluster")).isEqualTo(block);
        assertThat(set.get("id").stringValue()).isEqualTo(cluster.id());
        assertThat(set.get("type").stringValue()).isEqualTo(answer.type());
        assertThat(set.get("drain").booleanValue()).isEqualTo(items.isEmpty());
        assertThat(set.size()).isEqualTo(8);
    }

    @Test
    @Requirement("B16")
    void theBytesDoNotDependOnAnyOrder() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            Map<DocumentKey, ObjectNode> shuffled = new LinkedHashMap<>();
            generator
                    .shuffled(new ArrayList<>(fleet.keySet()))
                    .forEach(key -> shuffled.put(key, (ObjectNode) reordered(fleet.get(key), generator)));
            assertThat(answers(shuffled)).isEqualTo(answers(fleet));
        });
    }

    /** Object keys in another order, and the lists that are keyed by id too; other lists mean their order. */
    private static JsonNode reordered(JsonNode node, FleetGenerator generator) {
        if (node instanceof ObjectNode object) {
            ObjectNode other = StrictJson.object();
            generator
                    .shuffled(new ArrayList<>(object.propertyNames()))
                    .forEach(key -> other.set(key, reordered(object.get(key), generator)));
            return other;
        }
        if (node instanceof ArrayNode array
                && !array.isEmpty()
                && array.get(0).path("id").isString()) {
            List<JsonNode> entries = new ArrayList<>();
            array.forEach(entry -> entries.add(reordered(entry, generator)));
            ArrayNode other = StrictJson.object().putArray("list");
            generator.shuffled(entries).forEach(other::add);
            return other;
        }
        return node;
    }

    /** A layer of the cluster: its own document, or one that it shares. */
    private static DocumentKey someLayer(Map<DocumentKey, ObjectNode> fleet, String cluster, SplittableRandom random) {
        ObjectNode body = body(fleet, Types.CLUSTER, cluster);
        List<DocumentKey> layers = new ArrayList<>();
        layers.add(new DocumentKey(Types.CLUSTER, cluster));
        layers.add(new DocumentKey(Types.ENVIRONMENT, body.get("environment").stringValue()));
        if (body.has("workspace")) {
            layers.add(new DocumentKey(Types.WORKSPACE, body.get("workspace").stringValue()));
        }
        if (body.has("template")) {
            layers.add(
                    new DocumentKey(Types.CLUSTER_TEMPLATE, body.get("template").stringValue()));
        }
        return layers.get(random.nextInt(layers.size()));
    }

    private record Kind(String field, String plural, List<String> ids) {}

    private static Kind someKind(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Kind("namespaces", "namespaces", FleetGenerator.NAMESPACES);
            case 1 -> new Kind("rolebindings", "rolebindings", FleetGenerator.ROLEBINDINGS);
            default -> new Kind(COMPONENTS, "platform-components", FleetGenerator.HELM);
        };
    }

    @Test
    @Requirement("A2")
    void addingAReferenceNeverRemovesOrChangesAnotherItem() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            Kind kind = someKind(random);
            String id = generator.one(kind.ids());
            Map<DocumentKey, ObjectNode> more = copy(fleet);
            String cluster = generator.one(FleetGenerator.CLUSTERS);
            DocumentKey layer = someLayer(fleet, cluster, random);
            ArrayNode list = list(more.get(layer), kind.field());
            if (find(list, id).isPresent()) {
                return;
            }
            list.insert(random.nextInt(list.size() + 1), StrictJson.object().put("id", id));
            var before = items(fleet, kind.plural());
            var after = items(more, kind.plural());
            after.forEach((name, items) -> {
                SortedMap<String, String> others = new TreeMap<>(items);
                SortedMap<String, String> old = before.getOrDefault(name, new TreeMap<>());
                if (before.containsKey(name)) {
                    assertThat(items.keySet()).containsAll(old.keySet());
                    others.keySet().retainAll(old.keySet());
                    assertThat(others).isEqualTo(old);
                    assertThat(items.size() - old.size()).isLessThanOrEqualTo(1);
                }
            });
            if (layer.type().equals(Types.CLUSTER) && after.containsKey(cluster)) {
                assertThat(after.get(cluster)).containsKey(id);
            }
            // The other types do not notice.
            SortedMap<String, String> rest = answers(fleet);
            SortedMap<String, String> restAfter = answers(more);
            rest.keySet().removeIf(key -> key.contains("/" + kind.plural() + "/"));
            restAfter.keySet().removeIf(key -> key.contains("/" + kind.plural() + "/"));
            assertThat(restAfter).isEqualTo(rest);
        });
    }

    @Test
    @Requirement("B7")
    void removingTakesAwayExactlyThat() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            Kind kind = someKind(random);
            String cluster = generator.one(FleetGenerator.CLUSTERS);
            var before = items(fleet, kind.plural());
            if (before.getOrDefault(cluster, new TreeMap<>()).isEmpty()) {
                return;
            }
            String id = generator.one(List.copyOf(before.get(cluster).keySet()));
            Map<DocumentKey, ObjectNode> less = copy(fleet);
            ArrayNode list = list(body(less, Types.CLUSTER, cluster), kind.field());
            drop(list, id);
            list.add(StrictJson.object().put("id", id).put("remove", true));
            before.get(cluster).remove(id);
            assertThat(items(less, kind.plural())).isEqualTo(before);
        });
    }

    @Test
    void takingAReferenceOutOfALayerTouchesNoOtherItem() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            Kind kind = someKind(random);
            DocumentKey layer = someLayer(fleet, generator.one(FleetGenerator.CLUSTERS), random);
            Map<DocumentKey, ObjectNode> less = copy(fleet);
            ArrayNode list = list(less.get(layer), kind.field());
            if (list.isEmpty()) {
                return;
            }
            String id = list.get(random.nextInt(list.size())).get("id").stringValue();
            drop(list, id);
            var before = items(fleet, kind.plural());
            var after = items(less, kind.plural());
            before.forEach((cluster, items) -> {
                if (after.containsKey(cluster)) {
                    items.remove(id);
                    after.get(cluster).remove(id);
                    assertThat(after.get(cluster)).isEqualTo(items);
                }
            });
        });
    }

    @Test
    @Requirement({"B3", "B4"})
    void theLaterLayerWinsAndTakingItAwayRestoresTheEarlierBytes() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            String cluster = generator.one(FleetGenerator.CLUSTERS);
            String component = generator.one(FleetGenerator.HELM);
            body(fleet, Types.CLUSTER, cluster).put("workspace", "retail").put("template", "standard");
            body(fleet, Types.CLUSTER, cluster).putObject("labels").put("region", "eu0");
            String environment =
                    body(fleet, Types.CLUSTER, cluster).get("environment").stringValue();
            List<ObjectNode> layers = List.of(
                    body(fleet, Types.CLUSTER_TEMPLATE, "standard"),
                    ownEnvironment(body(fleet, Types.CLUSTER_TEMPLATE, "standard"), environment),
                    body(fleet, Types.ENVIRONMENT, environment),
                    body(fleet, Types.WORKSPACE, "retail"),
                    ownEnvironment(body(fleet, Types.WORKSPACE, "retail"), environment),
                    body(fleet, Types.CLUSTER, cluster));
            for (ObjectNode layer : layers) {
                drop(list(layer, COMPONENTS), component);
                if (layer.path("patches_removed") instanceof ObjectNode removed) {
                    removed.remove(component);
                }
                if (layer.path("patches") instanceof ObjectNode patches) {
                    patches.remove(component);
                }
            }
            list(layers.getFirst(), COMPONENTS).addObject().put("id", component);
            List<String> history = new ArrayList<>();
            for (int i = 0; i < layers.size(); i++) {
                history.add(item(fleet, cluster, component));
                ObjectNode layer = layers.get(i);
                ObjectNode reference = find(list(layer, COMPONENTS), component)
                        .orElseGet(() -> list(layer, COMPONENTS).addObject().put("id", component));
                reference.put("oci_tag", "layer-" + i);
                if (random.nextBoolean() && i > 0) {
                    reference.put("assign", false);
                }
                patches(layer).putObject(component).put("zz.q", i).put("zz.only-" + i, true);
                ObjectNode item = StrictJson.read(item(fleet, cluster, component));
                assertThat(item.get("source").get("oci_tag").stringValue()).isEqualTo("layer-" + i);
                assertThat(item.get("patches").get("zz.q").intValue()).isEqualTo(i);
                for (int j = 0; j <= i; j++) {
                    assertThat(item.get("patches").has("zz.only-" + j)).isTrue();
                }
            }
            for (int i = layers.size() - 1; i > 0; i--) {
                drop(list(layers.get(i), COMPONENTS), component);
                patches(layers.get(i)).remove(component);
                assertThat(item(fleet, cluster, component)).isEqualTo(history.get(i));
            }
        });
    }

    private static ObjectNode ownEnvironment(ObjectNode shared, String environment) {
        ObjectNode environments =
                shared.path("by_environment") instanceof ObjectNode own ? own : shared.putObject("by_environment");
        return environments.path(environment) instanceof ObjectNode own ? own : environments.putObject(environment);
    }

    private static ObjectNode patches(ObjectNode layer) {
        return layer.path("patches") instanceof ObjectNode own ? own : layer.putObject("patches");
    }

    private static String item(Map<DocumentKey, ObjectNode> fleet, String cluster, String component) {
        // Patches of other components may contradict each other; this is about one.
        Map<DocumentKey, ObjectNode> only = copy(fleet);
        only.forEach((key, body) -> keepOnly(body, component));
        InMemoryView view = new InMemoryView(only);
        TypeDefinition type = view.types().named(Types.PLATFORM_COMPONENT).orElseThrow();
        Resolution.Items items = (Resolution.Items) Resolver.resolve(view, view.document(Types.CLUSTER, cluster), type);
        assertThat(items.items()).hasSize(1);
        return new String(items.items().getFirst().flatBytes(), StandardCharsets.UTF_8);
    }

    private static void keepOnly(ObjectNode layer, String component) {
        if (layer.path(COMPONENTS) instanceof ArrayNode list) {
            for (int i = list.size() - 1; i >= 0; i--) {
                if (!list.get(i).get("id").stringValue().equals(component)) {
                    list.remove(i);
                }
            }
        }
        layer.path("by_environment").forEach(own -> keepOnly((ObjectNode) own, component));
    }

    @Test
    @Requirement({"A9", "F6"})
    void oneClustersOwnDataNeverChangesAnothersAnswer() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            String cluster = generator.one(FleetGenerator.CLUSTERS);
            Map<DocumentKey, ObjectNode> changed = copy(fleet);
            changed.put(new DocumentKey(Types.CLUSTER, cluster), generator.cluster(cluster));
            if (random.nextInt(10) == 0) {
                changed.remove(new DocumentKey(Types.CLUSTER, cluster));
            }
            SortedMap<String, String> before = answers(fleet);
            SortedMap<String, String> after = answers(changed);
            before.keySet().removeIf(key -> key.startsWith(cluster + "/"));
            after.keySet().removeIf(key -> key.startsWith(cluster + "/"));
            assertThat(after).isEqualTo(before);
        });
    }

    @Test
    @Requirement("H11")
    void anEditThatClustersDoNotSeeChangesNoByte() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            Map<DocumentKey, ObjectNode> changed = copy(fleet);
            changed.forEach((key, body) -> {
                if (!key.type().equals(Types.TYPE)) {
                    body.put("description", "Only for people, " + random.nextInt(1000));
                }
                if (key.type().equals(Types.CLUSTER)) {
                    body.put("node_count", random.nextInt(100)).put("owner", "somebody else");
                }
            });
            changed.put(
                    new DocumentKey(Types.NAMESPACE, "nobody-uses-it"),
                    StrictJson.object().put("id", "nobody-uses-it"));
            assertThat(answers(changed)).isEqualTo(answers(fleet));
        });
    }

    @Test
    @Requirement("B16")
    void equalDataGivesEqualAnswersButForTheClusterBlockAndTheId() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            // What is asked of the cluster itself is meant to differ.
            fleet.replaceAll((key, body) -> StrictJson.read(
                    body.toString().replaceAll("\\{\"\\$cluster\":\"(name|dns)\"}", "\"no own value\"")));
            ObjectNode twin = body(fleet, Types.CLUSTER, "ams1").deepCopy();
            twin.put("id", "twin").put("cluster_name", "other-name").put("cluster_dns", "twin.example.com");
            fleet.put(new DocumentKey(Types.CLUSTER, "twin"), twin);
            SortedMap<String, String> answers = answers(fleet);
            answers.forEach((key, text) -> {
                if (key.startsWith("ams1/")) {
                    assertThat(anonymous(answers.get("twin" + key.substring(4))))
                            .isEqualTo(anonymous(text));
                }
            });
            assertThat(answers.keySet().stream()
                            .filter(key -> key.startsWith("twin/"))
                            .count())
                    .isEqualTo(answers.keySet().stream()
                            .filter(key -> key.startsWith("ams1/"))
                            .count());
        });
    }

    private static ObjectNode anonymous(String answer) {
        ObjectNode body = StrictJson.read(answer);
        body.get("inputs").forEach(input -> {
            ObjectNode fields = (ObjectNode) input;
            ObjectNode block = (ObjectNode) fields.get("cluster");
            block.remove(List.of("name", "dns"));
            if (fields.has("digest")) {
                fields.remove(List.of("id", "digest"));
            }
        });
        return body;
    }

    @Test
    @Requirement("D7")
    void theDigestNamesTheContent() {
        Cases.forAll(random -> {
            FleetGenerator generator = new FleetGenerator(random);
            Map<DocumentKey, ObjectNode> fleet = generator.fleet();
            Map<DocumentKey, ObjectNode> changed = copy(fleet);
            DocumentKey key = generator.one(List.copyOf(fleet.keySet()));
            switch (key.type()) {
                case Types.CLUSTER -> changed.put(key, generator.cluster(key.id()));
                case Types.PLATFORM_COMPONENT -> changed.put(key, generator.component(key.id()));
                case Types.NAMESPACE -> changed.put(key, generator.namespace(key.id()));
                case Types.WORKSPACE, Types.CLUSTER_TEMPLATE -> changed.put(key, generator.shared(key.id()));
                default -> {}
            }
            SortedMap<String, String> before = answers(fleet);
            SortedMap<String, String> after = answers(changed);
            before.forEach((place, text) -> {
                if (place.endsWith("/SET") && after.containsKey(place)) {
                    JsonNode old = StrictJson.read(text).get("inputs").get(0);
                    JsonNode now =
                            StrictJson.read(after.get(place)).get("inputs").get(0);
                    assertThat(now.get("digest").equals(old.get("digest")))
                            .isEqualTo(after.get(place).equals(text));
                }
            });
        });
    }
}
