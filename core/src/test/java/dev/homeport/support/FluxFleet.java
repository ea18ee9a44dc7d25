package dev.homeport.support;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import dev.homeport.json.StrictJson;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Clusters as they are outside: each polls for ever under the name that it was set up with, keeps what it has when it gets an
 * error, and deletes what an answer does not list.
 */
public final class FluxFleet {
    private static final Pattern NAMING =
            Pattern.compile("(apiVersion|kind|name|namespace|(target|storage)Namespace|releaseName):");

    private final List<Machine> machines = new ArrayList<>();

    /** One cluster outside, with the name that it polls under. */
    public static final class Machine {
        public String dns;
        private final SortedMap<String, SortedMap<String, ObjectNode>> running = new TreeMap<>();
        private final SortedMap<String, String> templates = new TreeMap<>();
        /** The cluster, and when it was made, that the last answer was for. */
        private String served = "";

        Machine(String dns) {
            this.dns = dns;
        }

        public boolean isEmpty() {
            return running.values().stream().allMatch(Map::isEmpty);
        }
    }

    /**
     * What one poll of all types did to one machine.
     *
     * @param cluster the id that it was answered for
     * @param lost {@code type/id}
     * @param emptied types of which nothing is left
     * @param guarded of what was lost, namespaces and what is stateful
     * @param remade types whose items are made into objects by another template
     * @param remadeGuarded some of those items are stateful
     */
    public record Loss(
            String cluster,
            List<String> lost,
            List<String> emptied,
            List<String> guarded,
            List<String> remade,
            boolean remadeGuarded) {
        boolean isNothing() {
            return lost.isEmpty() && remade.isEmpty();
        }
    }

    public Machine setUp(String dns) {
        Machine machine = new Machine(dns);
        machines.add(machine);
        return machine;
    }

    public List<Machine> machines() {
        return machines;
    }

    /**
     * All poll once. One whose name led nowhere, and leads to the same cluster again, first catches up with what became of that
     * cluster meanwhile: that was decided by earlier commits.
     */
    public List<Loss> poll(Snapshot before, Snapshot snapshot, TestFleet.Contact contact) {
        List<Loss> losses = new ArrayList<>();
        for (Machine machine : machines) {
            if (before.clusterByDns(machine.dns).isEmpty()) {
                snapshot.clusterByDns(machine.dns)
                        .flatMap(found -> before.find(found.key()))
                        .filter(found -> machine.served.equals(identity(found)))
                        .ifPresent(found -> poll(before, found, machine, contact));
            }
            Optional<Document> cluster = snapshot.clusterByDns(machine.dns);
            cluster.map(document -> poll(snapshot, document, machine, contact))
                    .filter(loss -> !loss.isNothing())
                    .ifPresent(losses::add);
        }
        return losses;
    }

    private static String identity(Document cluster) {
        return cluster.id() + " of " + cluster.created().revision();
    }

    private static Loss poll(Snapshot snapshot, Document cluster, Machine machine, TestFleet.Contact contact) {
        Loss loss = new Loss(
                cluster.id(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), false);
        boolean remadeGuarded = false;
        if (TypesAnswer.of(snapshot, cluster) instanceof Answer.Served types) {
            SortedMap<String, String> templates = new TreeMap<>();
            types.items().forEach(item -> {
                ObjectNode fields = StrictJson.read(item.setBytes());
                templates.put(item.id(), fields.get("template").stringValue());
            });
            for (String plural : templates.keySet()) {
                SortedMap<String, ObjectNode> has = machine.running.getOrDefault(plural, new TreeMap<>());
                String old = machine.templates.get(plural);
                if (old != null && !objects(old).equals(objects(templates.get(plural))) && !has.isEmpty()) {
                    loss.remade().add(plural);
                    remadeGuarded |= has.values().stream().anyMatch(item -> isGuarded(plural, item));
                }
            }
            machine.templates.putAll(templates);
        }
        for (String name : snapshot.types().itemTypes()) {
            TypeDefinition type = snapshot.types().named(name).orElseThrow();
            if (Answers.of(snapshot, cluster, type) instanceof Answer.Served served) {
                contact.polled.add(cluster.id());
                machine.served = identity(cluster);
                apply(type.plural(), items(served), machine, loss);
            }
        }
        return new Loss(loss.cluster(), loss.lost(), loss.emptied(), loss.guarded(), loss.remade(), remadeGuarded);
    }

    /** The lines that name objects: templates that differ in checks, annotations or accounts make the same ones. */
    private static List<String> objects(String template) {
        return template.lines()
                .map(String::strip)
                .filter(line -> NAMING.matcher(line).lookingAt())
                .toList();
    }

    private static void apply(String plural, SortedMap<String, ObjectNode> wanted, Machine machine, Loss loss) {
        SortedMap<String, ObjectNode> has = machine.running.getOrDefault(plural, new TreeMap<>());
        has.forEach((id, item) -> {
            ObjectNode now = wanted.get(id);
            String template = machine.templates.getOrDefault(plural, "");
            if (now == null || !identity(plural, item, template).equals(identity(plural, now, template))) {
                loss.lost().add(plural + "/" + id);
                if (isGuarded(plural, item)) {
                    loss.guarded().add(plural + "/" + id);
                }
            }
        });
        if (!has.isEmpty() && wanted.isEmpty()) {
            loss.emptied().add(plural);
        }
        machine.running.put(plural, wanted);
    }

    private static SortedMap<String, ObjectNode> items(Answer.Served served) {
        SortedMap<String, ObjectNode> items = new TreeMap<>();
        for (JsonNode input :
                FluxClientRules.check(Rendering.render(served, WireShape.FLAT)).get("inputs")) {
            if (input.path("enabled").booleanValue(true)) {
                items.put(input.get("id").stringValue(), (ObjectNode) input);
            }
        }
        return items;
    }

    private static boolean isGuarded(String plural, ObjectNode item) {
        return plural.equals("namespaces") || item.path("stateful").booleanValue(false);
    }

    /** What Flux tells objects apart by: names, namespaces and kinds, and of a release its chart. */
    private static String identity(String plural, ObjectNode item, String template) {
        String url = item.path("source").path("oci_url").stringValue("");
        return switch (plural) {
            case "platform-components" ->
                item.path("kind") + "|" + item.path("target_namespace")
                        + (item.path("kind").asString("").equals("helm")
                                ? url.substring(url.lastIndexOf('/') + 1)
                                : "");
            case "rolebindings" -> item.path("role") + "|" + item.path("role_kind") + "|" + item.path("namespace");
            case FleetGenerator.RUNTIME_PLURAL -> template.contains("name: << $i.level") ? item.path("level") + "" : "";
            default -> "";
        };
    }
}
