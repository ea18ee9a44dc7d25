package dev.homeport.server.admin;

import dev.homeport.change.Commit;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.WriteRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** Turns what every write may carry, in headers and parameters, into a request, and hands it to the writer. */
final class WriteDesk {
    private static final int LONGEST_REASON = 1024;

    /** These say how a write is to be handled, and not what is to be written. */
    private static final Set<String> HANDLING = Set.of("dry_run", "confirmation");

    private final Services services;

    WriteDesk(Services services) {
        this.services = services;
    }

    /**
     * Writes one document that the path or the body names, and says where in the request's body a fault is.
     *
     * @param root where in the body the one document is that is written
     */
    Outcome write(Call call, String root, Operation operation) {
        WriteRequest request = request(call, List.of(operation)).with(WriteRequest.Flag.DIRECT);
        return write(request, pointer -> root + pointer);
    }

    Outcome write(WriteRequest request, UnaryOperator<String> placed) {
        try {
            return services.writer().write(request);
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Invalid invalid ? moved(invalid, placed) : e;
        }
    }

    private static ProblemException moved(Problem.Invalid invalid, UnaryOperator<String> placed) {
        return new ProblemException(new Problem.Invalid(
                invalid.code(),
                invalid.violations().stream()
                        .map(violation -> violation.pointer().isEmpty()
                                        || violation.pointer().equals("/reason")
                                ? violation
                                : new Violation(placed.apply(violation.pointer()), violation.detail(), violation.fix()))
                        .toList()));
    }

    WriteRequest request(Call call, List<Operation> operations) {
        return request(call, operations, Optional.empty());
    }

    /** @param bodyReason a reason from the body, for requests that have one there */
    WriteRequest request(Call call, List<Operation> operations, Optional<String> bodyReason) {
        Set<WriteRequest.Flag> flags = EnumSet.noneOf(WriteRequest.Flag.class);
        flag(call, "dry_run", WriteRequest.Flag.DRY_RUN, flags);
        flag(call, "hotfix", WriteRequest.Flag.HOTFIX, flags);
        flag(call, "secrets_seen", WriteRequest.Flag.SECRETS_SEEN, flags);
        WriteRequest request = new WriteRequest(
                call.caller(),
                reason(call, bodyReason),
                operations,
                flags,
                call.header("Homeport-Confirm").or(() -> call.query("confirmation")),
                Optional.empty(),
                call.requestId(),
                Map.of());
        return key(call).map(key -> request.withKey(key, digest(call))).orElse(request);
    }

    private static void flag(Call call, String name, WriteRequest.Flag flag, Set<WriteRequest.Flag> flags) {
        if (call.flag(name)) {
            flags.add(flag);
        }
    }

    /** Why a request is made, from its body, query or headers. */
    static String reason(Call call, Optional<String> bodyReason) {
        if (bodyReason.isPresent() && call.query("reason").isPresent()) {
            throw ProblemException.invalid(
                    "/reason", "the reason is given in the body and in the query", "give it once");
        }
        String reason = bodyReason
                .or(() -> call.query("reason"))
                .or(() -> call.header("Homeport-Reason"))
                .orElse("");
        boolean plain = reason.codePoints()
                .allMatch(point -> point == '\n' || point == '\t' || !Character.isISOControl(point) && !odd(point));
        if (reason.length() > LONGEST_REASON || !plain) {
            throw ProblemException.invalid(
                    "/reason",
                    "the reason is longer than " + LONGEST_REASON + " characters or has control characters",
                    "say it in plain text");
        }
        return reason;
    }

    private static boolean odd(int point) {
        return switch (Character.getType(point)) {
            case Character.SURROGATE, Character.UNASSIGNED, Character.FORMAT, Character.PRIVATE_USE -> true;
            default -> false;
        };
    }

    private static Optional<String> key(Call call) {
        return call.header("Idempotency-Key").map(key -> {
            if (!key.matches("[\\x21-\\x7E]{1,255}")) {
                throw ProblemException.invalid(
                        "/Idempotency-Key",
                        "the key is empty, too long or has odd characters",
                        "send at most 255 printable ASCII characters without spaces");
            }
            return key;
        });
    }

    /** Equal for equal requests. */
    private static String digest(Call call) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update((call.method() + " " + call.path() + "\n").getBytes(StandardCharsets.UTF_8));
            for (String name : new TreeSet<>(call.query().names())) {
                if (!HANDLING.contains(name)) {
                    sha.update((name + "=" + call.query().get(name) + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
            return HexFormat.of().formatHex(sha.digest(call.body()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    static Reply planned(Outcome.Planned planned) {
        ObjectNode json = StrictJson.object();
        json.set("plan", PlanReply.json(planned.plan()));
        json.put("confirmation", planned.token());
        return Reply.json(200, json);
    }

    /** The revision at which the request's effect is in the log; a dry run has none. */
    static long revision(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Committed committed -> committed.commit().revision();
            case Outcome.Replayed replayed -> replayed.first().revision();
            case Outcome.Unchanged unchanged -> unchanged.revision();
            case Outcome.Planned _ -> throw new IllegalStateException("a plan has no revision");
        };
    }

    /** A commit's number with what a caller wants to know at once. */
    static Reply changed(int status, Outcome outcome) {
        if (outcome instanceof Outcome.Planned planned) {
            return planned(planned);
        }
        ObjectNode json = StrictJson.object().put("revision", revision(outcome));
        switch (outcome) {
            case Outcome.Committed committed -> {
                header(json, committed.commit());
                json.put("documents_changed", committed.commit().changeCount());
                json.put("clusters_changed", committed.plan().clustersChanged());
                json.set("plan", PlanReply.json(committed.plan()));
                warn(json, outcome);
            }
            case Outcome.Replayed replayed -> {
                header(json, replayed.first());
                json.put("replayed", true);
            }
            case Outcome.Unchanged _ -> json.put("unchanged", true);
            case Outcome.Planned _ -> throw new IllegalStateException("handled above");
        }
        return revised(Reply.json(status, json), outcome);
    }

    private static void header(ObjectNode json, Commit commit) {
        json.put("at", commit.at().toString()).put("actor", commit.actor().toString());
    }

    static Reply revised(Reply reply, Outcome outcome) {
        return reply.with("Homeport-Revision", Long.toString(revision(outcome)));
    }

    static void warn(ObjectNode json, Outcome outcome) {
        if (outcome instanceof Outcome.Committed committed
                && !committed.plan().warnings().isEmpty()) {
            var warnings = json.putArray("warnings");
            committed.plan().warnings().forEach(warnings::add);
        }
    }
}
