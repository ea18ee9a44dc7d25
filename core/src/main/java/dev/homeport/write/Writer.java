package dev.homeport.write;

import dev.homeport.access.BuiltInRoles;
import dev.homeport.access.LastAdmin;
import dev.homeport.access.Permission;
import dev.homeport.access.Place;
import dev.homeport.access.Powers;
import dev.homeport.access.Refusal;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.Proposal;
import dev.homeport.document.BrokenDocument;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The only way in. Everything that changes the fleet, people, pipelines and Homeport's own loops, comes through here. */
public final class Writer {
    private static final int MAX_TRIES = 20;

    private final ChangeLog log;
    private final LogFollower follower;
    private final Permission permission;
    private final Confirmation confirmation;
    private final ClusterContact contact;
    private final InstantSource clock;
    private final Consumer<Duration> planned;
    private final ReentrantLock turn = new ReentrantLock(true);

    public Writer(
            ChangeLog log,
            LogFollower follower,
            Permission permission,
            Confirmation confirmation,
            ClusterContact contact,
            InstantSource clock) {
        this(log, follower, permission, confirmation, contact, clock, took -> {});
    }

    /** @param planned receives how long each plan took */
    public Writer(
            ChangeLog log,
            LogFollower follower,
            Permission permission,
            Confirmation confirmation,
            ClusterContact contact,
            InstantSource clock,
            Consumer<Duration> planned) {
        this.log = log;
        this.follower = follower;
        this.permission = permission;
        this.confirmation = confirmation;
        this.contact = contact;
        this.clock = clock;
        this.planned = planned;
    }

    /** Plans the request against the present, and commits it unless it is a dry run. Refusals are {@link ProblemException}s. */
    public Outcome write(WriteRequest request) {
        refuseUnreasoned(request);
        Optional<Outcome> before = committedBefore(request);
        if (before.isPresent()) {
            return before.get();
        }
        // The first try plans beside others; if another commit was faster, the next tries take the lock, so that a long
        // plan is not overtaken forever.
        Optional<Outcome> first;
        Snapshot present = follower.live().current();
        try {
            first = tryOnce(request, present);
        } catch (ProblemException e) {
            if (!isBehind(e, present)) {
                throw e;
            }
            first = Optional.empty();
        }
        if (first.isPresent()) {
            return first.get();
        }
        turn.lock();
        try {
            for (int i = 1; i < MAX_TRIES; i++) {
                follower.catchUp();
                Optional<Outcome> outcome = tryOnce(request, follower.live().current());
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
        } finally {
            turn.unlock();
        }
        throw ProblemException.refused(
                ErrorCode.UNAVAILABLE, "others are writing faster than this change can be planned", "try again");
    }

    /**
     * Another server may have written what this refusal has not seen yet: then it is decided again on the newest state. Compares
     * with what was decided on, because the follower may have read more since.
     */
    private boolean isBehind(ProblemException refusal, Snapshot decidedOn) {
        return switch (refusal.problem().code()) {
            case NOT_FOUND,
                    ALREADY_EXISTS,
                    CONFLICT,
                    REFERENCED,
                    STALE,
                    TOMBSTONED,
                    FROZEN,
                    PLAN_CHANGED,
                    CONFIRMATION_REQUIRED -> !log.head().equals(decidedOn.head());
            default -> false;
        };
    }

    /** Empty when the head moved meanwhile. */
    private Optional<Outcome> tryOnce(WriteRequest request, Snapshot snapshot) {
        refuseInQuarantine();
        Powers powers = permission.powers(snapshot, request.caller());
        try {
            return tryOnce(request, snapshot, powers);
        } catch (ConfirmationRequired e) {
            throw e.discreet(powers);
        } catch (ProblemException e) {
            throw powers.seesAll() ? e : new ProblemException(powers.discreet(e.problem()));
        } catch (BrokenDocument e) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    powers.discreet(String.valueOf(e.getMessage())),
                    "replace the document whole, or repair the cluster if it is a cluster_life");
        }
    }

    private Optional<Outcome> tryOnce(WriteRequest request, Snapshot snapshot, Powers powers) {
        Instant now = clock.instant();
        Draft draft = new Draft(
                snapshot,
                new Stamp(
                        snapshot.revision() + 1,
                        snapshot.head().epoch(),
                        now,
                        request.actor().toString(),
                        request.reason()),
                powers);
        Drafting.apply(request, draft, contact);
        MovedClusters.leaveRightsBehind(draft, powers);
        TokenLineage tokens = TokenLineage.of(draft, request, powers, permission, now);
        tokens.refuseImport();
        refuseForbidden(request, draft, powers);
        refuseTaken(draft);
        tokens.check();
        refuseLastAdmin(draft);
        Plan plan = new Planner(draft, request, contact, tokens).plan();
        planned.accept(Duration.between(now, clock.instant()));
        if (request.has(WriteRequest.Flag.DRY_RUN)) {
            return Optional.of(new Outcome.Planned(plan.discreet(powers), confirmation.issue(plan.hash(), now)));
        }
        if (plan.changesNothing()) {
            return Optional.of(new Outcome.Unchanged(snapshot.revision()));
        }
        refuseUnconfirmed(request, plan, now);
        return append(request, draft, plan, powers, now);
    }

    private Optional<Outcome> append(WriteRequest request, Draft draft, Plan plan, Powers powers, Instant now) {
        Proposal proposal = new Proposal(
                draft.before().head(),
                request.actor(),
                request.reason(),
                now,
                request.requestId(),
                request.idempotency(),
                marks(request, plan),
                changes(draft));
        AppendResult result = log.append(proposal);
        return switch (result) {
            case AppendResult.Appended appended -> {
                follower.catchUp();
                yield Optional.of(new Outcome.Committed(appended.commit(), plan.discreet(powers)));
            }
            case AppendResult.HeadMoved _ -> Optional.empty();
            case AppendResult.Replayed replayed -> Optional.of(new Outcome.Replayed(replayed.first()));
            case AppendResult.KeyReused reused -> throw keyReused(reused.first());
        };
    }

    private static List<Change> changes(Draft draft) {
        List<Change> changes = new ArrayList<>();
        draft.changes()
                .forEach((key, after) -> changes.add(after.<Change>map(document -> new Change.Put(key, document.body()))
                        .orElseGet(() -> new Change.Remove(key))));
        return changes;
    }

    private static Map<String, String> marks(WriteRequest request, Plan plan) {
        Map<String, String> marks = new HashMap<>(request.marks());
        if (!plan.guards().isEmpty()) {
            marks.put("confirmed", plan.hash());
        }
        for (Plan.Expiry expiry : plan.later()) {
            if (!expiry.guards().isEmpty() || request.has(WriteRequest.Flag.DIRECT)) {
                marks.put(Later.mark(expiry.key()), expiry.effectHash());
            }
        }
        if (request.has(WriteRequest.Flag.HOTFIX)) {
            marks.put("hotfix", "true");
        }
        if (request.has(WriteRequest.Flag.SECRETS_SEEN)) {
            marks.put("secrets_seen", "true");
        }
        return marks;
    }

    private void refuseUnconfirmed(WriteRequest request, Plan plan, Instant now) {
        if (plan.guards().isEmpty()) {
            return;
        }
        String fresh = confirmation.issue(plan.hash(), now);
        if (request.confirmation().isEmpty()) {
            throw new ConfirmationRequired(
                    ErrorCode.CONFIRMATION_REQUIRED, "this change needs a confirmation", plan, fresh);
        }
        switch (confirmation.judge(request.confirmation().get(), plan.hash(), now)) {
            case GOOD -> {}
            case OTHER_PLAN ->
                throw new ConfirmationRequired(
                        ErrorCode.PLAN_CHANGED, "the effect is no longer the one that was confirmed", plan, fresh);
            case EXPIRED ->
                throw new ConfirmationRequired(
                        ErrorCode.CONFIRMATION_REQUIRED, "the confirmation has expired", plan, fresh);
            case FORGED ->
                throw new ConfirmationRequired(ErrorCode.CONFIRMATION_REQUIRED, "invalid confirmation", plan, fresh);
        }
    }

    private static void refuseForbidden(WriteRequest request, Draft draft, Powers powers) {
        if (request.has(WriteRequest.Flag.SECRETS_SEEN) && !powers.isPlatformAdmin()) {
            throw forbidden(new Refusal(
                    request.actor() + " may not overrule the search for secrets",
                    BuiltInRoles.PLATFORM_ADMIN,
                    Place.FLEET.toString()));
        }
        for (DocumentKey changed : draft.changes().keySet()) {
            if (changed.type().equals(Types.RESERVED_NAME)) {
                continue; // follows from a change of clusters, for which permission is checked
            }
            // What happens to a cluster's life is asked about the cluster.
            DocumentKey key =
                    changed.type().equals(Types.CLUSTER_LIFE) ? new DocumentKey(Types.CLUSTER, changed.id()) : changed;
            Set<Verb> verbs = EnumSet.noneOf(Verb.class);
            verbs.addAll(draft.verbs(changed));
            if (!changed.equals(key)) {
                verbs.addAll(draft.scheduledVerbs(changed.id()));
            }
            if (request.has(WriteRequest.Flag.HOTFIX)) {
                verbs.add(Verb.HOTFIX);
            }
            if (changed.type().equals(Types.TOKEN)) {
                verbs.remove(Verb.PURGE); // they go with their cluster, for which the right is checked
            }
            for (Verb verb : verbs) {
                powers.refusal(verb, draft.stored(key), draft.find(key)).ifPresent(refusal -> {
                    throw forbidden(refusal);
                });
            }
            // An imported life may bring a pin along, and with it anything at all.
            if (!changed.equals(key) && request.has(WriteRequest.Flag.IMPORTED) && !mayImportLives(request, powers)) {
                throw forbidden(new Refusal(
                        request.actor() + " may not import the life of " + key,
                        BuiltInRoles.PLATFORM_ADMIN,
                        Place.FLEET.toString()));
            }
        }
    }

    private static boolean mayImportLives(WriteRequest request, Powers powers) {
        return powers.isPlatformAdmin()
                || request.operations().stream().noneMatch(operation -> operation instanceof Operation.Undo);
    }

    private static ProblemException forbidden(Refusal refusal) {
        return ProblemException.refused(ErrorCode.FORBIDDEN, refusal.reason(), refusal.next());
    }

    /** Only for a caller who may create the document: others must not learn that it exists. */
    private static void refuseTaken(Draft draft) {
        draft.collisions().stream().findFirst().ifPresent(key -> {
            throw ProblemException.refused(
                    ErrorCode.ALREADY_EXISTS, "the id " + key.id() + " is taken", "choose another id");
        });
    }

    private void refuseLastAdmin(Draft draft) {
        if (LastAdmin.isRemoved(draft.before(), draft, draft.changes().keySet(), permission.peopleSignIn())) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "this would remove the last permanent platform admin",
                    "create another admin token first, or grant platform-admin to a subject whose token does not expire");
        }
    }

    private void refuseInQuarantine() {
        if (follower.state() instanceof FollowerState.Quarantined quarantined) {
            throw ProblemException.refused(
                    ErrorCode.QUARANTINED,
                    "writes are off: " + quarantined.reason(),
                    "an operator must look at the store and accept it");
        }
    }

    private static void refuseUnreasoned(WriteRequest request) {
        boolean special = request.has(WriteRequest.Flag.HOTFIX) || request.has(WriteRequest.Flag.SECRETS_SEEN);
        if (special && request.reason().isBlank()) {
            throw ProblemException.invalid("/reason", "this kind of change needs a reason", "say why");
        }
    }

    private Optional<Outcome> committedBefore(WriteRequest request) {
        if (request.idempotency().isEmpty() || request.has(WriteRequest.Flag.DRY_RUN)) {
            return Optional.empty();
        }
        return log.committedUnder(request.actor(), request.idempotency().get()).map(result -> switch (result) {
            case AppendResult.KeyReused reused -> throw keyReused(reused.first());
            case AppendResult.Replayed replayed -> new Outcome.Replayed(replayed.first());
            case AppendResult.Appended _, AppendResult.HeadMoved _ ->
                throw new IllegalStateException("not an answer to this question");
        });
    }

    private static ProblemException keyReused(Commit first) {
        return ProblemException.refused(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                "this idempotency key was used for another request, revision " + first.revision(),
                "use a new key for a new request",
                List.of(Long.toString(first.revision())));
    }
}
