package dev.homeport.write;

import dev.homeport.api.ErrorCode;
import dev.homeport.collection.Bits;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.References;
import dev.homeport.json.CanonicalJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.StringNode;

/** What must hold between documents, checked for those that a draft changes. */
final class CrossChecks {
    private static final int NAMED_USERS = 20;
    private static final int MOST_PROBES = 20;
    private static final int MOST_OF_TEMPLATES = 512 * 1024;

    private final Draft draft;
    private final Map<DocumentKey, Optional<Document>> changes;

    private CrossChecks(Draft draft, Map<DocumentKey, Optional<Document>> changes) {
        this.draft = draft;
        this.changes = changes;
    }

    static void check(Draft draft, Map<DocumentKey, Optional<Document>> changes) {
        CrossChecks checks = new CrossChecks(draft, changes);
        List<Violation> faults = new ArrayList<>();
        changes.values()
                .forEach(after -> after.ifPresent(document -> {
                    // Among several documents, a pointer alone does not say which one is meant.
                    String which = changes.size() == 1 ? "" : document.key() + ": ";
                    checks.dangling(document)
                            .forEach(fault ->
                                    faults.add(new Violation(fault.pointer(), which + fault.detail(), fault.fix())));
                }));
        if (!faults.isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(faults));
        }
        checks.uniqueNames();
        checks.steadyPlurals();
        checks.templatesFit();
        checks.fewProbes();
        changes.forEach((key, after) -> {
            if (after.isEmpty() && !key.type().equals(Types.CLUSTER_LIFE)) {
                checks.unused(key);
            }
        });
    }

    private List<Violation> dangling(Document document) {
        List<Violation> faults = new ArrayList<>();
        for (ReferencePlaces.Place place : ReferencePlaces.of(document)) {
            Optional<TypeDefinition> type = draft.types().withPlural(place.plural());
            if (type.isEmpty()) {
                faults.add(new Violation(
                        place.pointer(),
                        "there is no type with the plural " + place.plural(),
                        "create the type first"));
            } else if (draft.document(type.get().name(), place.id()) == null) {
                String word = type.get().name().replace('_', ' ');
                faults.add(new Violation(
                        place.pointer(),
                        place.through() + "unknown " + word + " " + place.id(),
                        "create " + type.get().name() + "/" + place.id() + " first, or in the same request"));
            }
        }
        return faults;
    }

    /** DNS names and aliases belong to one cluster. */
    private void uniqueNames() {
        Map<String, String> taken = new HashMap<>();
        changes.forEach((key, after) -> {
            if (key.type().equals(Types.CLUSTER) && after.isPresent()) {
                for (String dns : names(after.get())) {
                    String other = taken.put(dns, key.id());
                    if (other == null || other.equals(key.id())) {
                        other = ownerBefore(dns)
                                .filter(id -> !id.equals(key.id()))
                                .orElse(null);
                    }
                    if (other != null && !other.equals(key.id())) {
                        throw occupied(dns, other);
                    }
                }
            }
        });
    }

    /** Paths and references spell a type by its plural: it belongs to one type, and stays. */
    private void steadyPlurals() {
        changes.forEach((key, after) -> {
            if (!key.type().equals(Types.TYPE) || after.isEmpty()) {
                return;
            }
            String plural = after.get().tree().path("plural").stringValue("");
            Optional<TypeDefinition> before = draft.before().types().named(key.id());
            if (before.isEmpty() && plural.equals(Types.WITNESSES)) {
                throw ProblemException.invalid(
                        "/plural", "the word " + plural + " is reserved", "choose another plural");
            }
            if (before.isPresent() && !before.get().plural().equals(plural)) {
                throw ProblemException.invalid(
                        "/plural", "the plural of a type cannot be changed", "make a new type and move to it");
            }
            draft.types().all().stream()
                    .filter(other ->
                            other.plural().equals(plural) && !other.name().equals(key.id()))
                    .findFirst()
                    .ifPresent(other -> {
                        throw ProblemException.invalid(
                                "/plural",
                                "the plural " + plural + " belongs to the type " + other.name(),
                                "choose another plural");
                    });
        });
    }

    /** All of them travel in one answer, which Flux refuses when it is too long. */
    private void templatesFit() {
        if (changes.keySet().stream().noneMatch(key -> key.type().equals(Types.TYPE))) {
            return;
        }
        int sum = draft.types().all().stream()
                .flatMap(type -> type.template().stream())
                .mapToInt(template -> CanonicalJson.bytes(StringNode.valueOf(template)).length)
                .sum();
        if (sum > MOST_OF_TEMPLATES) {
            throw ProblemException.invalid(
                    "/template",
                    "the templates of all types come to " + sum + " bytes, more than " + MOST_OF_TEMPLATES,
                    "make templates shorter");
        }
    }

    /** Each is one more object on every cluster that it asks. */
    private void fewProbes() {
        Set<DocumentKey> all = new HashSet<>();
        draft.before().all(Types.PROBE).values().forEach(probe -> all.add(probe.key()));
        boolean more = false;
        for (Map.Entry<DocumentKey, Optional<Document>> change : changes.entrySet()) {
            if (change.getKey().type().equals(Types.PROBE)) {
                more |= change.getValue().isPresent() && all.add(change.getKey());
                if (change.getValue().isEmpty()) {
                    all.remove(change.getKey());
                }
            }
        }
        if (more && all.size() > MOST_PROBES) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "there would be " + all.size() + " probes, and at most " + MOST_PROBES + " are allowed",
                    "delete a probe that is no longer needed first");
        }
    }

    private Optional<String> ownerBefore(String dns) {
        return draft.before()
                .clusterByDns(dns)
                .flatMap(owner -> draft.find(owner.key()))
                .filter(owner -> names(owner).contains(dns))
                .map(Document::id);
    }

    private ProblemException occupied(String dns, String cluster) {
        return draft.life(cluster).phase() == ClusterLife.Phase.LEAVING
                ? ReservedNames.occupied("the name " + dns, cluster)
                : ProblemException.refused(
                        ErrorCode.CONFLICT,
                        "the name " + dns + " belongs to cluster/" + cluster,
                        "choose another cluster_dns",
                        List.of("cluster/" + cluster));
    }

    private static List<String> names(Document document) {
        Cluster cluster = Cluster.of(document);
        List<String> names = new ArrayList<>();
        names.add(cluster.dns());
        cluster.dnsAliases().forEach(alias -> names.add(alias.dns()));
        return names;
    }

    /** Deleting a document that is in use would silently shorten answers. */
    private void unused(DocumentKey key) {
        Snapshot before = draft.before();
        TypeDefinition type = before.types().named(key.type()).orElseThrow();
        String reference = type.plural() + "/" + key.id();
        List<String> users = new ArrayList<>();
        before.users(reference).forEach(user -> {
            if (stillRefers(user, reference)) {
                users.add(user.toString());
            }
        });
        Bits clusters = before.clustersWith(reference);
        clusters.forEach(slot -> {
            DocumentKey user = before.clusterInSlot(slot).key();
            if (users.size() < NAMED_USERS + 1 && isActive(user.id()) && stillRefers(user, reference)) {
                users.add(user.toString());
            }
        });
        if (key.type().equals(Types.TYPE)) {
            users.addAll(usersOfType(key.id()));
        }
        if (!users.isEmpty()) {
            throw ProblemException.refused(
                    ErrorCode.REFERENCED,
                    key + " is used by " + String.join(", ", users.subList(0, Math.min(NAMED_USERS, users.size())))
                            + (users.size() > NAMED_USERS ? " and others" : ""),
                    "remove the references first, or in the same request",
                    users);
        }
    }

    /** One whose record cannot be read may be. */
    private boolean isActive(String cluster) {
        return ClusterLife.ifReadable(draft.document(Types.CLUSTER_LIFE, cluster))
                .map(life -> life.phase() == ClusterLife.Phase.ACTIVE)
                .orElse(true);
    }

    private boolean stillRefers(DocumentKey user, String reference) {
        return draft.find(user)
                .filter(document -> document.fault().isEmpty())
                .map(References::of)
                .orElse(Set.of())
                .contains(reference);
    }

    private List<String> usersOfType(String name) {
        List<String> users = new ArrayList<>();
        for (Document document : draft.before().all(name).values()) {
            if (draft.find(document.key()).isPresent() && users.size() <= NAMED_USERS) {
                users.add(document.key().toString());
            }
        }
        for (Document life : draft.before().all(Types.CLUSTER_LIFE).values()) {
            if (users.size() <= NAMED_USERS && isPinned(life, name)) {
                users.add("the paused cluster/" + life.id());
            }
        }
        return users;
    }

    /** A paused cluster keeps its items when their documents are gone, and without the type it would get no answer. */
    private boolean isPinned(Document life, String type) {
        Optional<Document> now = draft.find(life.key());
        return now.flatMap(ClusterLife::ifReadable)
                .flatMap(ClusterLife::paused)
                .map(pause -> pause.items().get(type))
                .filter(items -> !items.isEmpty())
                .isPresent();
    }
}
