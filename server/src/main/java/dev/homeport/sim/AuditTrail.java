package dev.homeport.sim;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The part of the log that a simulation went through, read from the audit. What each cluster shall have is worked out here
 * once more, from the documents that were written and without a look at the server's resolver.
 */
public final class AuditTrail {
    private static final String CLUSTER = "cluster";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonNode NOTHING = MissingNode.getInstance();
    private static final Map<String, String> PLURALS = Map.of(
            CLUSTER,
            "clusters",
            "cluster_template",
            "cluster-templates",
            "environment",
            "environments",
            "workspace",
            "workspaces");
    private static final Map<String, String> LISTS = Map.of(
            "platform-components", "platform_components", "namespaces", "namespaces", "rolebindings", "rolebindings");

    private final HomeportClient admin;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final Map<Key, TreeMap<Long, Written>> written = new HashMap<>();
    private final Map<Key, JsonNode> present = new HashMap<>();

    private record Key(String type, String id, String part) {}

    private record Written(JsonNode before, JsonNode after) {}

    /**
     * One commit.
     *
     * @param confirmed somebody has seen the plan
     * @param documents what it wrote
     */
    record Entry(long revision, String actor, boolean confirmed, Set<Key> documents) {
        /** Nothing but one cluster, and that itself: it says what goes. */
        boolean isAbout(String cluster) {
            return documents.stream()
                    .allMatch(key -> key.type().equals(CLUSTER) && key.id().equals(cluster));
        }
    }

    private AuditTrail(HomeportClient admin) {
        this.admin = admin;
    }

    /** @param after the revision after which commits are wanted */
    public static AuditTrail read(HomeportClient admin, long after) {
        AuditTrail trail = new AuditTrail(admin);
        Optional<String> page = Optional.of("");
        while (page.isPresent()) {
            page = trail.readPage(page.get(), after);
        }
        return trail;
    }

    private Optional<String> readPage(String token, long after) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Map<String, String> headers = admin.copy(
                "/api/v2/changes?format=jsonl&page_size=200" + (token.isEmpty() ? "" : "&page_token=" + token), out);
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n", -1)) {
            if (!line.isEmpty()) {
                JsonNode commit = JSON.readTree(line);
                if (commit.path("revision").asLong(0) <= after) {
                    return Optional.empty();
                }
                add(commit);
            }
        }
        return Optional.ofNullable(headers.get("homeport-next-page-token"));
    }

    private void add(JsonNode commit) {
        long revision = commit.path("revision").asLong(0);
        Set<Key> documents = new HashSet<>();
        for (JsonNode change : commit.path("changes")) {
            Key key = new Key(
                    change.path("type").asString(""),
                    change.path("id").asString(""),
                    change.path("part").asString("spec"));
            documents.add(key);
            written.computeIfAbsent(key, known -> new TreeMap<>())
                    .put(revision, new Written(change.path("before"), change.path("after")));
        }
        entries.put(
                revision,
                new Entry(
                        revision,
                        commit.path("actor").asString(""),
                        commit.path("marks").has("confirmed"),
                        documents));
    }

    /** Why something went. */
    public enum Reason {
        /** A commit took it away, and its plan was confirmed. */
        CONFIRMED,
        /** An edit of that cluster alone named it. */
        OWN_EDIT,
        /** A shared document no longer gives it, and what went was below what needs a confirmation. */
        SHARED_EDIT,
        /** What was set to end has ended. */
        EXPIRED,
        /** A commit took it away that should have been confirmed and was not. */
        UNCONFIRMED,
        /** No commit says that it shall go. */
        NONE;

        public boolean isGood() {
            return this != UNCONFIRMED && this != NONE;
        }
    }

    public Reason reason(Deletion deletion) {
        Reason found = Reason.NONE;
        for (Entry entry :
                entries.subMap(deletion.from(), false, deletion.to(), true).values()) {
            boolean had = had(deletion, entry);
            if (had && !shall(deletion, entry.revision())) {
                found = judge(deletion, entry);
            }
        }
        return found;
    }

    /** Letting a pin go may take away what only the pin still gave. */
    private boolean had(Deletion deletion, Entry entry) {
        Key life = new Key(CLUSTER, deletion.cluster(), "status");
        boolean released = entry.documents().contains(life)
                && at(life, entry.revision() - 1).path("paused").asBoolean(false)
                && !at(life, entry.revision()).path("paused").asBoolean(false);
        return released || shall(deletion, entry.revision() - 1);
    }

    private Reason judge(Deletion deletion, Entry entry) {
        if (entry.confirmed()) {
            return Reason.CONFIRMED;
        }
        if (entry.actor().startsWith("system")) {
            return Reason.EXPIRED;
        }
        Key spec = new Key(CLUSTER, deletion.cluster(), "spec");
        JsonNode cluster = at(spec, entry.revision() - 1);
        boolean protects = cluster.path("protected")
                .asBoolean(cluster.path("environment").asString("").equals("prod"));
        boolean guarded = deletion.kept() || items(deletion, entry.revision()).isEmpty();
        if (entry.isAbout(deletion.cluster()) && !(protects && guarded)) {
            return Reason.OWN_EDIT;
        }
        return guarded ? Reason.UNCONFIRMED : Reason.SHARED_EDIT;
    }

    private boolean shall(Deletion deletion, long revision) {
        return items(deletion, revision).contains(deletion.id());
    }

    /** Layer after layer, id by id: the later one wins. */
    private Set<String> items(Deletion of, long revision) {
        JsonNode cluster = at(new Key(CLUSTER, of.cluster(), "spec"), revision);
        JsonNode life = at(new Key(CLUSTER, of.cluster(), "status"), revision);
        if (cluster.isMissingNode() || life.path("phase").asString("active").equals("leaving")) {
            return Set.of();
        }
        String environment = cluster.path("environment").asString("");
        List<JsonNode> layers = new ArrayList<>();
        layers(layers, "cluster_template", cluster.path("template").asString(""), environment, revision);
        layers.add(at(new Key("environment", environment, "spec"), revision));
        layers(layers, "workspace", cluster.path("workspace").asString(""), environment, revision);
        layers.add(cluster);
        Map<String, Boolean> enabled = new HashMap<>();
        Set<String> assigned = new HashSet<>();
        for (JsonNode layer : layers) {
            JsonNode list = LISTS.containsKey(of.plural())
                    ? layer.path(LISTS.get(of.plural()))
                    : layer.path("refs").path(of.plural());
            for (JsonNode reference : list) {
                merge(reference, assigned, enabled);
            }
        }
        assigned.removeIf(id -> !enabled.getOrDefault(id, true));
        return assigned;
    }

    private static void merge(JsonNode reference, Set<String> assigned, Map<String, Boolean> enabled) {
        String id = reference.path("id").asString("");
        if (reference.path("remove").asBoolean(false)) {
            assigned.remove(id);
            enabled.remove(id);
            return;
        }
        if (reference.has("enabled")) {
            enabled.put(id, reference.path("enabled").asBoolean(true));
        }
        if (reference.path("assign").asBoolean(true)) {
            assigned.add(id);
        }
    }

    private void layers(List<JsonNode> layers, String type, String id, String environment, long revision) {
        if (!id.isEmpty()) {
            JsonNode document = at(new Key(type, id, "spec"), revision);
            layers.add(document);
            layers.add(document.path("by_environment").path(environment));
        }
    }

    /** A document as it was: written before or by then, or about to be changed later, or never touched. */
    private JsonNode at(Key key, long revision) {
        TreeMap<Long, Written> steps = written.get(key);
        if (steps == null) {
            return present.computeIfAbsent(key, this::ask);
        }
        Map.Entry<Long, Written> last = steps.floorEntry(revision);
        return last != null
                ? last.getValue().after()
                : steps.firstEntry().getValue().before();
    }

    private JsonNode ask(Key key) {
        try {
            JsonNode document = admin.get("/api/v2/" + PLURALS.get(key.type()) + "/" + key.id())
                    .body();
            return document.path(key.part());
        } catch (ApiProblem e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return NOTHING;
            }
            throw e;
        }
    }
}
