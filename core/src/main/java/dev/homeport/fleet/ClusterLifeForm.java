package dev.homeport.fleet;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.PackedCursor;
import dev.homeport.json.StrictJson;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a {@link ClusterLife} is written down. */
public final class ClusterLifeForm {
    private ClusterLifeForm() {}

    public static DocumentKey key(String cluster) {
        return new DocumentKey(Types.CLUSTER_LIFE, cluster);
    }

    /** Every poll asks, so this reads the packed form and builds no tree for what is nearly always there: the filled types. */
    static ClusterLife read(Document document) {
        ClusterLife.Phase phase = ClusterLife.Phase.ACTIVE;
        long since = 0;
        boolean releasing = false;
        Instant leaveAt = null;
        List<String> filled = List.of();
        SortedMap<String, Long> emptied = Collections.emptySortedMap();
        ClusterLife.Pause pause = null;
        boolean unserved = false;
        PackedCursor cursor = document.cursor();
        for (String field : cursor.object()) {
            switch (field) {
                case "phase" -> phase = ClusterLife.Phase.valueOf(cursor.text().toUpperCase(Locale.ROOT));
                case "since" -> since = cursor.integer();
                case "releasing" -> releasing = cursor.bool();
                case "leave_at" -> leaveAt = Instant.parse(cursor.text());
                case "filled" -> filled = texts(cursor);
                case "emptied" -> emptied = emptied(cursor.node());
                case "paused" -> pause = pause(document.id(), (ObjectNode) cursor.node());
                case "unserved" -> unserved = cursor.bool();
                default -> cursor.skip();
            }
        }
        return new ClusterLife(phase, since, releasing, leaveAt, filled, emptied, pause, unserved);
    }

    private static List<String> texts(PackedCursor cursor) {
        String[] texts = new String[cursor.array()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = cursor.text();
        }
        return List.of(texts);
    }

    private static SortedMap<String, Long> emptied(JsonNode proofs) {
        SortedMap<String, Long> emptied = new TreeMap<>();
        proofs.forEachEntry(
                (type, proof) -> emptied.put(type, proof.get("revision").longValue()));
        return emptied;
    }

    private static ClusterLife.Pause pause(String id, ObjectNode paused) {
        JsonNode cluster = paused.get("cluster");
        SortedMap<String, ArrayNode> items = new TreeMap<>();
        paused.get("items").forEachEntry((type, list) -> items.put(type, (ArrayNode) list));
        return new ClusterLife.Pause(
                LayerReader.note(paused),
                new ClusterBlock(
                        id,
                        cluster.get("name").stringValue(),
                        cluster.get("dns").stringValue(),
                        cluster.get("environment").stringValue()),
                items,
                paused.has("format") ? Optional.of(paused.get("format").intValue()) : Optional.empty(),
                paused.has("templates") ? Optional.of(templates(paused.get("templates"))) : Optional.empty());
    }

    private static SortedMap<String, String> templates(JsonNode node) {
        SortedMap<String, String> templates = new TreeMap<>();
        node.forEachEntry((plural, template) -> templates.put(plural, template.stringValue()));
        return templates;
    }

    public static Body write(String cluster, ClusterLife life) {
        ObjectNode body = StrictJson.object().put("id", cluster);
        if (life.phase() != ClusterLife.Phase.ACTIVE) {
            body.put("phase", life.phase().name().toLowerCase(Locale.ROOT));
        }
        if (life.since() > 0) {
            body.put("since", life.since());
        }
        if (life.releasing()) {
            body.put("releasing", true);
        }
        Instant leaveAt = life.leaveAt();
        if (leaveAt != null) {
            body.put("leave_at", leaveAt.toString());
        }
        ArrayNode filled = body.putArray("filled");
        life.filled().forEach(filled::add);
        if (!life.emptied().isEmpty()) {
            ObjectNode emptied = body.putObject("emptied");
            life.emptied()
                    .forEach((type, revision) ->
                            emptied.putObject(type).put("revision", revision).put("why", "confirmed"));
        }
        if (life.unserved()) {
            body.put("unserved", true);
        }
        life.paused().ifPresent(pause -> body.set("paused", write(pause)));
        return Body.of(body);
    }

    private static ObjectNode write(ClusterLife.Pause pause) {
        ObjectNode paused = StrictJson.object();
        Note note = pause.note();
        put(paused, "owner", note.owner());
        put(paused, "reason", note.reason());
        put(paused, "expires_at", note.expiresAt());
        paused.putObject("cluster")
                .put("name", pause.cluster().name())
                .put("dns", pause.cluster().dns())
                .put("environment", pause.cluster().environment());
        ObjectNode items = paused.putObject("items");
        pause.items().forEach(items::set);
        pause.format().ifPresent(format -> paused.put("format", format));
        pause.templates().ifPresent(templates -> templates.forEach(paused.withObject("/templates")::put));
        return paused;
    }

    private static void put(ObjectNode object, String field, @Nullable Object value) {
        if (value != null) {
            object.put(field, value.toString());
        }
    }
}
