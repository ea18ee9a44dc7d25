package dev.homeport.server.admin;

import dev.homeport.access.AccessKeys;
import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.access.StoredToken;
import dev.homeport.access.TokenText;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Makes tokens, and finds those that must go when a cluster gets another. */
final class TokenMint {
    private static final int MOST_LIVE = 2;

    private final Services services;
    private final ReentrantLock lock = new ReentrantLock();

    TokenMint(Services services) {
        this.services = services;
    }

    /** Counting tokens and adding one is done by one caller at a time. */
    <T> T counting(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Checked before an answer reveals which tokens a cluster has. */
    void refuseForbidden(Caller caller, Operation creation) {
        if (creation instanceof Operation.Create create) {
            Snapshot snapshot = services.snapshot();
            Stamp stamp = new Stamp(
                    snapshot.revision() + 1,
                    snapshot.head().epoch(),
                    snapshot.at(),
                    caller.actor().toString(),
                    "");
            Document token = Document.of(create.key(), Body.of(create.body()), stamp, stamp);
            Powers powers = services.powers(caller);
            powers.refusal(Verb.CREATE, Optional.empty(), Optional.of(token)).ifPresent(refusal -> {
                ProblemException forbidden =
                        ProblemException.refused(ErrorCode.FORBIDDEN, refusal.reason(), refusal.next());
                throw new ProblemException(powers.discreet(forbidden.problem()));
            });
        }
    }

    /** The oldest tokens that have to go before a cluster can have another one. */
    List<DocumentKey> surplus(String cluster) {
        List<DocumentKey> live = live(cluster);
        return live.subList(0, Math.max(0, live.size() - MOST_LIVE + 1));
    }

    /** A cluster's tokens that work, oldest first. */
    private List<DocumentKey> live(String cluster) {
        Instant now = services.clock().instant();
        List<Document> live = new ArrayList<>();
        Snapshot snapshot = services.snapshot();
        for (DocumentKey key : snapshot.users(AccessKeys.tokensOfCluster(cluster))) {
            snapshot.find(key)
                    .filter(document -> StoredToken.of(document).isLive(now))
                    .ifPresent(live::add);
        }
        live.sort(Comparator.comparingLong(document -> document.created().revision()));
        return live.stream().map(Document::key).toList();
    }

    TokenText make(TokenText.Kind kind) {
        return TokenText.mint(
                kind,
                services.randomBytes().next(TokenText.ID_BYTES),
                services.randomBytes().next(TokenText.SECRET_BYTES));
    }

    Operation creation(TokenText token, ObjectNode spec) {
        ObjectNode body = spec.deepCopy();
        body.put("id", token.id());
        body.put("hash", services.master().hash(token.secret()));
        return new Operation.Create(new DocumentKey(Types.TOKEN, token.id()), body);
    }
}
