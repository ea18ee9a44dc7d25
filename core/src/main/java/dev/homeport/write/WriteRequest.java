package dev.homeport.write;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.change.Proposal;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request to change documents.
 *
 * @param confirmation the token of a plan that was shown before
 * @param marks facts for the commit's readers
 */
public record WriteRequest(
        Caller caller,
        String reason,
        List<Operation> operations,
        Set<Flag> flags,
        Optional<String> confirmation,
        Optional<Proposal.Idempotency> idempotency,
        String requestId,
        Map<String, String> marks) {

    /** How a request differs from an ordinary one. */
    public enum Flag {
        /**
         * One operation on a document that the caller named by its id. Without it a request was made from something else: a
         * selector, an import, a commit that is reverted, an older version, an expiry.
         */
        DIRECT,
        /** Only plan. */
        DRY_RUN,
        /** Passes freezes; needs a reason. */
        HOTFIX,
        /** An administrator has looked at what seems to be a secret; needs a reason. */
        SECRETS_SEEN,
        /** Comes from a root path or an import: gaps that would be refused are warnings. */
        IMPORTED
    }

    public WriteRequest {
        operations = List.copyOf(operations);
        flags = Set.copyOf(flags);
        marks = Map.copyOf(marks);
    }

    /** For Homeport's own loops. */
    public static WriteRequest of(Actor actor, String reason, Operation... operations) {
        return of(Caller.internal(actor), reason, List.of(operations));
    }

    public static WriteRequest of(Actor actor, String reason, List<Operation> operations) {
        return of(Caller.internal(actor), reason, operations);
    }

    public static WriteRequest of(Caller caller, String reason, List<Operation> operations) {
        return new WriteRequest(caller, reason, operations, Set.of(), Optional.empty(), Optional.empty(), "", Map.of());
    }

    public Actor actor() {
        return caller.actor();
    }

    public boolean has(Flag flag) {
        return flags.contains(flag);
    }

    public WriteRequest with(Flag flag) {
        EnumSet<Flag> all = EnumSet.of(flag);
        all.addAll(flags);
        return new WriteRequest(caller, reason, operations, all, confirmation, idempotency, requestId, marks);
    }

    public WriteRequest confirmedBy(String token) {
        return new WriteRequest(caller, reason, operations, flags, Optional.of(token), idempotency, requestId, marks);
    }

    /** A retry with the same key and digest is answered with the first result. */
    public WriteRequest withKey(String key, String requestDigest) {
        Proposal.Idempotency retry = new Proposal.Idempotency(key, requestDigest);
        return new WriteRequest(caller, reason, operations, flags, confirmation, Optional.of(retry), requestId, marks);
    }

    public WriteRequest marked(Map<String, String> facts) {
        return new WriteRequest(caller, reason, operations, flags, confirmation, idempotency, requestId, facts);
    }
}
