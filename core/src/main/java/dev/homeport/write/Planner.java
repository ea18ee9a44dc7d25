package dev.homeport.write;

import dev.homeport.access.AccessKeys;
import dev.homeport.access.StoredToken;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.CommitHash;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.fleet.FleetView;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.problem.WorkBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Computes what a draft does to every answer, and refuses it when an answer would become wrong. */
final class Planner {
    private static final int SHOWN_FAULTS = 20;

    private final Draft draft;
    private final WriteRequest request;
    private final ClusterContact contact;
    private final TokenLineage tokens;

    Planner(Draft draft, WriteRequest request, ClusterContact contact, TokenLineage tokens) {
        this.draft = draft;
        this.request = request;
        this.contact = contact;
        this.tokens = tokens;
    }

    /** Also completes the draft with the records that emptying and filling leave behind. */
    Plan plan() {
        Map<DocumentKey, Optional<Document>> changes = draft.changes();
        CrossChecks.check(draft, changes);
        Affected affected = Affected.by(changes.keySet(), draft);
        Examination examination =
                new Examination(draft.before(), draft.view(), affected.types(), draft.revision(), contact);
        WorkBudget budget = WorkBudget.current(); // the threads of a parallel stream do not inherit it
        List<Examination.Found> found = affected.clusters().parallelStream()
                .map(cluster -> {
                    budget.check();
                    return examination.examine(cluster);
                })
                .toList();
        refuse(found, ErrorCode.INVALID, Examination.Found::faults);
        refuse(found, ErrorCode.LIMIT_EXCEEDED, Examination.Found::limits);
        List<String> warnings = new ArrayList<>(Versions.warnings(draft, changes));
        warnings.addAll(gaps(found));
        warnings.addAll(tokens.warnings());
        warnings.addAll(keptOnLeaving(found));
        List<Effect> effects =
                found.stream().flatMap(one -> one.effects().stream()).toList();
        refuseFrozen(found);
        found.forEach(this::record);
        changes.values().forEach(after -> after.ifPresent(this::recordToken));
        FleetView after = draft.view();
        List<Later> later = changes.values().stream()
                .flatMap(Optional::stream)
                .flatMap(document -> Later.of(draft, after, document, contact, isDirect()).stream())
                .toList();
        List<String> unprotected = Protection.lost(draft, changes);
        List<String> emptied = Guards.emptiedLists(draft, changes, request.operations(), isDirect());
        List<String> guards = new ArrayList<>(Guards.tripped(draft, effects, request.operations(), isDirect()));
        guards.addAll(Guards.besides(draft, request.operations(), isDirect()));
        guards.addAll(emptied);
        guards.addAll(Guards.unprotected(unprotected));
        guards.addAll(tokens.guards());
        later.forEach(one -> guards.addAll(one.guards()));
        return new Plan(
                draft.before().revision(),
                hash(changes, effects, later, unprotected, emptied),
                effectHash(effects),
                documents(changes),
                groups(effects),
                guards,
                warnings,
                found.stream()
                        .filter(Examination.Found::held)
                        .map(Examination.Found::cluster)
                        .toList(),
                later.stream()
                        .map(one -> new Plan.Expiry(
                                one.key(), one.from(), effectHash(one.effects()), groups(one.effects()), one.guards()))
                        .toList(),
                false);
    }

    private boolean isDirect() {
        return request.has(WriteRequest.Flag.DIRECT);
    }

    private void record(Examination.Found found) {
        ClusterLife life = found.life();
        if (life != null) {
            boolean tokens = draft.before()
                    .users(AccessKeys.tokensOfCluster(found.cluster()))
                    .iterator()
                    .hasNext();
            draft.putLife(found.cluster(), life.withUnserved(life.unserved() && !tokens), Verb.UPDATE);
        }
    }

    /** From now on the cluster may poll, and whether it did is not for the log to see. */
    private void recordToken(Document document) {
        if (!document.type().equals(Types.TOKEN) || !StoredToken.of(document).isForCluster()) {
            return;
        }
        String cluster = StoredToken.of(document).subject();
        Document life = draft.document(Types.CLUSTER_LIFE, cluster);
        if (life != null && Repair.isReadable(life) && draft.life(cluster).unserved()) {
            draft.putLife(cluster, draft.life(cluster).withUnserved(false), Verb.UPDATE);
        }
    }

    private static void refuse(
            List<Examination.Found> found, ErrorCode code, Function<Examination.Found, List<Violation>> what) {
        List<Violation> faults = found.stream()
                .flatMap(one -> what.apply(one).stream())
                .limit(SHOWN_FAULTS)
                .toList();
        if (!faults.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(code, faults));
        }
    }

    private List<String> gaps(List<Examination.Found> found) {
        List<String> gaps = found.stream()
                .flatMap(one -> one.gaps().stream())
                .limit(SHOWN_FAULTS)
                .toList();
        if (!gaps.isEmpty() && !request.has(WriteRequest.Flag.IMPORTED)) {
            throw new ProblemException(Problem.Invalid.of(gaps.stream()
                    .map(gap -> new Violation("", gap, "assign what is missing, or break the circle"))
                    .toList()));
        }
        return gaps;
    }

    /** A cluster that leaves drains only when these are gone too. */
    private List<String> keptOnLeaving(List<Examination.Found> found) {
        return found.stream()
                .flatMap(one -> one.effects().stream())
                .filter(effect -> effect.type().equals(Types.PLATFORM_COMPONENT)
                        && effect.changes().stream().anyMatch(ItemChange::kept)
                        && isLeaving(effect.cluster()))
                .limit(SHOWN_FAULTS)
                .map(effect -> "cluster/" + effect.cluster() + " does not drain while it keeps "
                        + effect.changes().stream()
                                .filter(ItemChange::kept)
                                .map(change -> effect.type() + "/" + change.id())
                                .collect(Collectors.joining(", "))
                        + " (stateful): to remove it with the rest, set stateful to false and wait until that has"
                        + " arrived before you decommission")
                .toList();
    }

    private boolean isLeaving(String cluster) {
        return ClusterLife.ifReadable(draft.document(Types.CLUSTER_LIFE, cluster))
                .filter(life -> life.phase() == ClusterLife.Phase.LEAVING)
                .isPresent();
    }

    private void refuseFrozen(List<Examination.Found> found) {
        Freezes freezes = new Freezes(draft.before());
        if (freezes.none() || request.has(WriteRequest.Flag.HOTFIX)) {
            return;
        }
        for (Examination.Found one : found) {
            if (one.moved()) {
                refuseFrozen(freezes, one.cluster());
            }
        }
        // Every cluster gets all types that have a template, also those without items on it.
        if (!templates(draft.before().types()).equals(templates(draft.types()))) {
            for (Document cluster : draft.before().all(Types.CLUSTER).values()) {
                if (isToldOfTypes(cluster.id())) {
                    refuseFrozen(freezes, cluster.id());
                }
            }
        }
    }

    private void refuseFrozen(Freezes freezes, String cluster) {
        Stream.of(draft.before().document(Types.CLUSTER, cluster), draft.document(Types.CLUSTER, cluster))
                .filter(document -> document != null && document.fault().isEmpty())
                .flatMap(document -> freezes.on(Cluster.of(document)).stream())
                .findFirst()
                .ifPresent(freeze -> {
                    throw ProblemException.refused(
                            ErrorCode.FROZEN,
                            freeze,
                            "wait until it is lifted, or send the change as a hotfix with a reason");
                });
    }

    private boolean isToldOfTypes(String cluster) {
        return ClusterLife.ifReadable(draft.before().document(Types.CLUSTER_LIFE, cluster))
                .filter(life -> life.phase() == ClusterLife.Phase.ACTIVE)
                .filter(life ->
                        life.paused().flatMap(ClusterLife.Pause::templates).isEmpty())
                .isPresent();
    }

    private static Map<String, String> templates(TypeCatalog types) {
        Map<String, String> templates = new TreeMap<>();
        types.all().forEach(type -> type.template().ifPresent(text -> templates.put(type.plural(), text)));
        return templates;
    }

    private String hash(
            Map<DocumentKey, Optional<Document>> changes,
            List<Effect> effects,
            List<Later> later,
            List<String> unprotected,
            List<String> emptied) {
        Digests digests = new Digests();
        List<String> ofTokens = new ArrayList<>();
        changes.forEach((key, after) -> {
            String content = after.map(Planner::content).orElse(CommitHash.NOTHING);
            if (key.type().equals(Types.TOKEN)) {
                // Each try makes another id for a new token.
                boolean stored = draft.before().find(key).isPresent();
                ofTokens.add((stored ? key.toString() : key.type()) + " " + content);
            } else {
                digests.add(key.toString()).add(content);
            }
        });
        ofTokens.stream().sorted().forEach(digests::add);
        digests.add(effectHash(effects));
        later.forEach(one -> digests.add(one.key().toString()).add(effectHash(one.effects())));
        unprotected.forEach(digests::add);
        emptied.forEach(digests::add);
        return digests.hex();
    }

    /**
     * Of a cluster's life, only what a person decides: revisions in it follow from the head, which a plan is not about. Of a
     * token, not what each attempt generates: its secret, and its end, which counts from now.
     */
    private static String content(Document document) {
        if (document.type().equals(Types.TOKEN)) {
            ObjectNode body = document.tree();
            body.remove(List.of("id", "hash", "expires_at"));
            return CommitHash.ofPayload(Body.of(body).canonicalBytes());
        }
        Body body = document.type().equals(Types.CLUSTER_LIFE)
                ? ClusterLifeForm.write(document.id(), ClusterLife.NEWBORN.onCourseOf(ClusterLife.of(document), 0))
                : document.body();
        return CommitHash.ofPayload(body.canonicalBytes());
    }

    private static String effectHash(List<Effect> effects) {
        Digests digests = new Digests();
        // Clusters are examined in the order of their ids, and types in the order of their names.
        effects.forEach(effect -> digests.add(effect.cluster()).add(effect.digest()));
        return digests.hex();
    }

    private List<Plan.DocumentChange> documents(Map<DocumentKey, Optional<Document>> changes) {
        List<Plan.DocumentChange> documents = new ArrayList<>();
        changes.forEach((key, after) -> {
            if (key.type().equals(Types.RESERVED_NAME)) {
                return; // follows from what happens to clusters, and is a guard where it matters
            }
            Plan.DocumentChange.Kind kind = after.isEmpty()
                    ? Plan.DocumentChange.Kind.REMOVED
                    : draft.before().find(key).isPresent()
                            ? Plan.DocumentChange.Kind.CHANGED
                            : Plan.DocumentChange.Kind.CREATED;
            documents.add(new Plan.DocumentChange(key, kind));
        });
        return documents;
    }

    /** Equal for effects that are shown alike. */
    private static String shape(Effect effect) {
        return effect.digest()
                + effect.empties()
                + effect.changes().stream().filter(ItemChange::kept).count();
    }

    private static List<Plan.Group> groups(List<Effect> effects) {
        Map<String, List<Effect>> byDigest = new LinkedHashMap<>();
        effects.forEach(effect -> byDigest.computeIfAbsent(shape(effect), shape -> new ArrayList<>())
                .add(effect));
        return byDigest.values().stream()
                .map(same -> new Plan.Group(
                        same.getFirst().type(),
                        same.getFirst().changes(),
                        same.stream().map(Effect::cluster).toList(),
                        same.getFirst().empties()))
                .toList();
    }
}
