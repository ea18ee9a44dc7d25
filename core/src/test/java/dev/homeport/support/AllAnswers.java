package dev.homeport.support;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Rendered;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.snapshot.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every answer of a fleet, keyed {@code cluster/type}: as it is, and as text of both shapes. All of them have passed the
 * client's rules.
 */
public record AllAnswers(SortedMap<String, Answer> answers, SortedMap<String, String> texts) {

    public static AllAnswers of(Snapshot snapshot) {
        return of(snapshot, new HashSet<>());
    }

    /** Texts that are in {@code checked} are not checked against the rules again; the others are added to it. */
    public static AllAnswers of(Snapshot snapshot, Set<String> checked) {
        SortedMap<String, Answer> answers = new TreeMap<>();
        SortedMap<String, String> texts = new TreeMap<>();
        for (Document cluster : snapshot.all(Types.CLUSTER).values()) {
            for (String name : snapshot.types().itemTypes()) {
                TypeDefinition type = snapshot.types().named(name).orElseThrow();
                Answer answer = Answers.of(snapshot, cluster, type);
                answers.put(cluster.id() + "/" + name, answer);
                texts.put(cluster.id() + "/" + name, text(answer, checked));
            }
        }
        return new AllAnswers(answers, texts);
    }

    private static String text(Answer answer, Set<String> checked) {
        return switch (answer) {
            case Answer.Hold hold -> "hold: " + hold.reason();
            case Answer.Detached _ -> "detached";
            case Answer.Served served -> {
                Rendered flat = Rendering.render(served, WireShape.FLAT);
                Rendered set = Rendering.render(served, WireShape.SET);
                String text = new String(flat.body(), StandardCharsets.UTF_8) + "\n"
                        + new String(set.body(), StandardCharsets.UTF_8);
                if (checked.add(text)) {
                    FluxClientRules.check(flat);
                    FluxClientRules.checkSet(set);
                }
                yield text;
            }
        };
    }

    /** Compared by what clusters are served. */
    @Override
    public boolean equals(Object other) {
        return other instanceof AllAnswers all && all.texts.equals(texts);
    }

    @Override
    public int hashCode() {
        return texts.hashCode();
    }

    @Override
    public String toString() {
        return texts.toString();
    }

    /** What differs between two states of all answers, in words: {@code cluster/type KIND id}, and pairs that became empty. */
    public static SortedSet<String> changes(AllAnswers before, AllAnswers after) {
        SortedSet<String> all = new TreeSet<>();
        SortedSet<String> places = new TreeSet<>(before.answers.keySet());
        places.addAll(after.answers.keySet());
        for (String place : places) {
            Answer now = after.answers.get(place);
            if (now instanceof Answer.Detached || now instanceof Answer.Hold) {
                continue; // nothing on the cluster changes
            }
            if (Objects.equals(before.texts.get(place), after.texts.get(place))) {
                continue;
            }
            SortedMap<String, String> old = items(before.answers.get(place));
            SortedMap<String, String> next = items(now);
            SortedSet<String> ids = new TreeSet<>(old.keySet());
            ids.addAll(next.keySet());
            for (String id : ids) {
                String from = old.getOrDefault(id, "absent");
                String to = next.getOrDefault(id, "absent");
                if (!from.equals(to)) {
                    boolean was = from.startsWith("enabled");
                    boolean is = to.startsWith("enabled");
                    if (was && is && !identity(place, from).equals(identity(place, to))) {
                        all.add(place + " REMOVED " + id);
                        all.add(place + " ADDED " + id);
                    } else {
                        all.add(place + " " + (was == is ? "CHANGED" : is ? "ADDED" : "REMOVED") + " " + id);
                    }
                }
            }
            if (some(old) && !some(next)) {
                all.add(place + " is empty");
            }
        }
        return all;
    }

    /** What must stay the same for Flux to keep an item's objects, as the generated fleets have it. */
    private static String identity(String place, String item) {
        JsonNode fields = StrictJson.read(item.substring("enabled".length(), end(item)));
        String source = fields.path("source").path("oci_url").stringValue("");
        return switch (place.substring(place.indexOf('/') + 1)) {
            case Types.PLATFORM_COMPONENT ->
                fields.get("kind") + " " + fields.path("target_namespace")
                        + (fields.get("kind").stringValue().equals("helm") ? source.replaceAll(".*/", "") : "");
            case Types.ROLEBINDING ->
                fields.path("namespace") + " " + fields.path("role") + " " + fields.path("role_kind");
            default -> "";
        };
    }

    /** Where the flat shape ends and the set shape begins. */
    private static int end(String item) {
        int depth = 0;
        boolean quoted = false;
        for (int at = "enabled".length(); at < item.length(); at++) {
            char c = item.charAt(at);
            if (quoted) {
                at += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return at + 1;
            }
        }
        throw new IllegalArgumentException(item);
    }

    private static boolean some(SortedMap<String, String> items) {
        return items.values().stream().anyMatch(item -> item.startsWith("enabled"));
    }

    private static SortedMap<String, String> items(Answer answer) {
        SortedMap<String, String> items = new TreeMap<>();
        if (answer instanceof Answer.Served served) {
            JsonNode flat = FluxClientRules.check(Rendering.render(served, WireShape.FLAT))
                    .get("inputs");
            for (JsonNode input : flat) {
                ObjectNode fields = (ObjectNode) input;
                fields.remove("cluster");
                boolean enabled = fields.path("enabled").booleanValue(true);
                items.put(
                        fields.get("id").stringValue(),
                        (enabled ? "enabled" : "disabled") + CanonicalJson.text(fields));
            }
            for (Item item : served.items()) {
                items.computeIfPresent(
                        item.id(), (id, text) -> text + new String(item.setBytes(), StandardCharsets.UTF_8));
            }
        }
        return items;
    }
}
