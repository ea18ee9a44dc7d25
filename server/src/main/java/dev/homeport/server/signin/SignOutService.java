package dev.homeport.server.signin;

import dev.homeport.access.Caller;
import dev.homeport.access.SignOuts;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Ends sign-ins before their time, on every server that follows the log. */
public final class SignOutService {
    /** The longest session that can be set, and the longest life of a provider's token. */
    static final Duration LONGEST = Duration.ofDays(8);

    private static final int TRIES = 5;

    private final LogFollower follower;
    private final Writer writer;
    private final InstantSource clock;

    public SignOutService(LogFollower follower, Writer writer, InstantSource clock) {
        this.follower = follower;
        this.writer = writer;
        this.clock = clock;
    }

    /** Ends one session; a copy of its cookie stops working too. */
    void end(Caller caller, String requestId) {
        String subject = caller.actor().toString();
        Instant now = clock.instant();
        caller.signIn()
                .filter(signIn -> !SignOuts.isEnded(follower.live().current(), subject, signIn))
                .ifPresent(signIn -> write(
                        subject,
                        new WriteRequest(
                                caller,
                                "signed out",
                                List.of(),
                                Set.of(),
                                Optional.empty(),
                                Optional.empty(),
                                requestId,
                                Map.of()),
                        present -> SignOuts.ending(present, subject, signIn, now, LONGEST)));
    }

    /**
     * Ends all sign-ins of a subject that began until now. Its tokens go on working.
     *
     * @param request who asks and how, without operations
     */
    public Outcome endAll(String subject, WriteRequest request) {
        Instant now = clock.instant();
        return write(subject, request, present -> SignOuts.endingAll(subject, now, LONGEST));
    }

    private Outcome write(String subject, WriteRequest request, Function<Optional<ObjectNode>, ObjectNode> body) {
        DocumentKey key = SignOuts.key(subject);
        for (int i = 1; ; i++) {
            Document known = follower.live().current().document(key.type(), key.id());
            Operation operation = known == null
                    ? new Operation.Create(key, body.apply(Optional.empty()))
                    : known.fault().isPresent()
                            ? new Operation.Replace(key, body.apply(Optional.empty()), Expected.ANY)
                            : new Operation.Edit(key, present -> body.apply(Optional.of(present)), Expected.ANY);
            try {
                return writer.write(asSystem(request, operation));
            } catch (ProblemException e) {
                // Another server made or swept the document meanwhile.
                boolean raced = e.problem().code() == ErrorCode.ALREADY_EXISTS
                        || e.problem().code() == ErrorCode.NOT_FOUND;
                if (!raced || i == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Homeport acts, in the name of the one who signs out. */
    private static WriteRequest asSystem(WriteRequest request, Operation operation) {
        return new WriteRequest(
                new Caller(request.actor(), Caller.Access.SYSTEM, Optional.empty(), ""),
                request.reason(),
                List.of(operation),
                request.flags(),
                request.confirmation(),
                request.idempotency(),
                request.requestId(),
                request.marks());
    }
}
