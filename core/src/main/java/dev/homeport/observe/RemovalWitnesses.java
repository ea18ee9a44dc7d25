package dev.homeport.observe;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a cluster's witnesses say about something that should disappear from it. They report changes only, so what they saw once
 * holds until they say otherwise; that an object is absent counts only since it was removed.
 */
final class RemovalWitnesses {
    private final Map<String, Witness> known = new HashMap<>();

    RemovalWitnesses(Collection<Witness> witnesses) {
        witnesses.stream()
                .filter(witness -> !witness.id().equals(Witness.OF_UNREADABLE))
                .forEach(witness -> known.put(witness.id(), witness));
    }

    /** False for a cluster that was never asked, or has not answered anything. */
    boolean isActive() {
        return !known.isEmpty();
    }

    /** The objects to ask about; none where it is not known what the item was made into. */
    static List<WitnessQuestion> questions(RemovedItem item) {
        List<String> object = List.of(item.objects().split("/", 2));
        String kind = object.getFirst();
        return switch (kind) {
            case "HelmRelease", "Kustomization" ->
                List.of(
                        WitnessQuestion.there(
                                item.subject(), "fluxcd.controlplane.io/v1", "ResourceSet", "", "c-" + item.id()),
                        WitnessQuestion.leavingComponent(item.id(), kind));
            case "Namespace" ->
                List.of(WitnessQuestion.there(item.subject(), "v1", kind, WitnessQuestion.CLUSTER_SCOPED, item.id()));
            case "RoleBinding", "ClusterRoleBinding" ->
                List.of(WitnessQuestion.there(
                        item.subject(),
                        "rbac.authorization.k8s.io/v1",
                        kind,
                        object.size() > 1 ? object.get(1) : WitnessQuestion.CLUSTER_SCOPED,
                        item.id()));
            default -> List.of();
        };
    }

    /** Whether every object of the item was seen to be absent. */
    boolean isGone(RemovedItem item) {
        List<WitnessQuestion> questions = questions(item);
        return !questions.isEmpty()
                && questions.stream().allMatch(question -> isAbsentSince(question.id(), item.since()));
    }

    boolean isAbsentSince(String question, Instant since) {
        Witness witness = known.get(question);
        return witness != null && witness.isAbsent() && !witness.receivedAt().isBefore(since);
    }

    /** What was seen of it last; empty where no object is known to be there. */
    Optional<WitnessedObject> present(RemovedItem item) {
        List<WitnessedObject> seen = new ArrayList<>();
        questions(item).forEach(question -> present(question.id()).ifPresent(seen::add));
        return seen.stream()
                .filter(object -> object.isDeleting() && !object.finalizers().isEmpty())
                .findFirst()
                .or(() -> seen.stream().findFirst());
    }

    Optional<WitnessedObject> present(String question) {
        return Optional.ofNullable(known.get(question))
                .filter(witness -> !witness.isAbsent())
                .map(Witness::seen);
    }

    /** Why it is still there, in words. */
    static String reason(WitnessedObject object) {
        if (!object.isDeleting()) {
            return "its " + object.kind() + " is there, and its deletion was not requested";
        }
        return "its " + object.kind() + " is being deleted"
                + (object.finalizers().isEmpty()
                        ? ""
                        : ", and waits for the finalizers " + String.join(", ", object.finalizers()));
    }
}
