package dev.homeport.sim;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The part of the log that a simulation went through, read from the audit. The desired state of each cluster is computed here
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
            "workspaces",
            "settings",
            "settings");
    private static final Map<String, String> LISTS = Map.of(
            "platform-components", "platform_components", "namespaces", "namespaces", "rolebindings", "rolebindings");

    /** Fields with a time at which something ends. */
    private static final List<String> ENDS = List.of("expires_at", "leaves_at", "paused_until");

    private final HomeportClient admin;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final Map<Key, TreeMap<Long, Written>> written = new HashMap<>();
    private final Map<Key, JsonNode> untouched = new HashMap<>();
    private long head;

    private record Key(String type, String id, String part) {}

    private record Written(JsonNode before, JsonNode after) {}

    /**
     * One commit.
     *
     * @param at when
     * @param confirmed the plan was confirmed
     * @param documents what it wrote
     */
    private record Entry(long revision, String at, String actor, boolean confirmed, Set<Key> documents) {
        /** Nothing but one cluster, and that itself: it says what goes. */
        boolean isAbout(String cluster) {
            return documents.stream()
                    .allMatch(key -> key.type().equals(CLUSTER) && key.id().equals(cluster));
        }
    }

    private AuditTrail(HomeportClient admin) {
        this.admin = admin;
    }

    /** Of the commits since the first of these, and the newest one in any case. */
    public static AuditTrail of(List<Deletion> deletions, HomeportClient admin) {
        return read(
                admin,
                deletions.stream()
                        .mapToLong(Deletion::from)
                        .filter(from -> from >= 0)
                        .min()
                        .orElse(Long.MAX_VALUE));
    }

    private static AuditTrail read(HomeportClient admin, long after) {
        AuditTrail trail = new AuditTrail(admin);
        Pages pages = admin.pages();
        String next;
        do {
            next = trail.readPage(pages.token(), after);
        } while (pages.goOn(next));
        return trail;
    }

    private String readPage(String token, long after) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Map<String, String> headers = admin.copy(
                "/api/v2/changes?format=jsonl&page_size=200" + (token.isEmpty() ? "" : "&page_token=" + token), out);
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n", -1)) {
            if (!line.isEmpty()) {
                JsonNode commit = JSON.readTree(line);
                head = Math.max(head, commit.path("revision").asLong(0));
                if (commit.path("revision").asLong(0) <= after) {
                    return "";
                }
                add(commit);
            }
        }
        return headers.getOrDefault("homeport-next-page-token", "");
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
                        commit.path("at").asString(""),
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
        /** No commit removes it. */
        NONE;

        public boolean isGood() {
            return this != UNCONFIRMED && this != NONE;
        }
    }

    /** Each with its reason, in the order given. */
    public List<Reason> reasons(List<Deletion> deletions) {
        Map<Long, Set<String>> losing = new HashMap<>();
        List<Found> all = deletions.stream().map(this::find).toList();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).reason() == Reason.SHARED_EDIT) {
                losing.computeIfAbsent(all.get(i).revision(), known -> new HashSet<>())
                        .add(deletions.get(i).cluster());
            }
        }
        Set<Long> tooMany = new HashSet<>();
        losing.forEach((revision, clusters) -> {
            if (clusters.size() > mostLosing(revision)) {
                tooMany.add(revision);
            }
        });
        return all.stream()
                .map(found -> found.reason() == Reason.SHARED_EDIT && tooMany.contains(found.revision())
                        ? Reason.UNCONFIRMED
                        : found.reason())
                .toList();
    }

    private record Found(Reason reason, long revision) {
        static final Found NOTHING = new Found(Reason.NONE, -1);
    }

    /**
     * The last commit that took it away, if nothing gave it back. An answer that does not say which commit it is of, or is of
     * an earlier one than the answer before, or of one that was never made, is explained by none.
     */
    private Found find(Deletion deletion) {
        Found found = Found.NOTHING;
        if (deletion.from() < 0 || deletion.to() <= deletion.from() || deletion.to() > head) {
            return found;
        }
        for (Entry entry :
                entries.subMap(deletion.from(), false, deletion.to(), true).values()) {
            if (isPaused(deletion, entry.revision())) {
                continue; // It keeps what was delivered before.
            }
            if (shall(deletion, entry.revision())) {
                found = Found.NOTHING;
            } else if (had(deletion, entry)) {
                found = new Found(judge(deletion, entry), entry.revision());
            }
        }
        return found;
    }

    private boolean isPaused(Deletion deletion, long revision) {
        JsonNode life = at(new Key(CLUSTER, deletion.cluster(), "status"), revision);
        return life.path("paused").asBoolean(false)
                && !life.path("phase").asString("").equals("leaving");
    }

    /** Letting a pin go may take away what only the pin still gave. */
    private boolean had(Deletion deletion, Entry entry) {
        return isPaused(deletion, entry.revision() - 1) || shall(deletion, entry.revision() - 1);
    }

    private Reason judge(Deletion deletion, Entry entry) {
        if (entry.confirmed()) {
            return Reason.CONFIRMED;
        }
        if (entry.actor().startsWith("system:")) {
            return hasEnded(entry) ? Reason.EXPIRED : Reason.UNCONFIRMED;
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

    /** Whether something that the commit wrote was to end by then. */
    private boolean hasEnded(Entry entry) {
        Instant at = Instant.parse(entry.at());
        return entry.documents().stream()
                .map(key -> at(key, entry.revision() - 1))
                .flatMap(before -> ENDS.stream().flatMap(field -> before.findValues(field).stream()))
                .anyMatch(
                        end -> !OffsetDateTime.parse(end.asString()).toInstant().isAfter(at));
    }

    /** How many clusters may lose something by this commit without a confirmation. */
    private long mostLosing(long revision) {
        JsonNode guards = at(new Key("settings", "fleet", "spec"), revision - 1).path("guards");
        JsonNode fleet = admin.get("/api/v2/clusters?page_size=1&counts=true&as_of=" + head)
                .body();
        double share = guards.path("max_share_losing").asDouble(0.01)
                * fleet.path("total").asLong(0);
        return Math.max(guards.path("max_clusters_losing").asLong(5), (long) share);
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
            return untouched.computeIfAbsent(key, this::ask);
        }
        Map.Entry<Long, Written> last = steps.floorEntry(revision);
        return last != null
                ? last.getValue().after()
                : steps.firstEntry().getValue().before();
    }

    private JsonNode ask(Key key) {
        try {
            // As of the last commit that was read: what came later is not known here.
            JsonNode document = admin.get("/api/v2/" + PLURALS.get(key.type()) + "/" + key.id() + "?as_of=" + head)
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
