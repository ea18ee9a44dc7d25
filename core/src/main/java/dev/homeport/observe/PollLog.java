package dev.homeport.observe;

import dev.homeport.change.Head;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Polls that survive the process. Several processes write at the same time, each what it has seen; the newer record of a
 * cluster and type stays. If it cannot be reached, methods throw {@link dev.homeport.change.StoreUnavailable}, and nothing
 * else in Homeport stops because of that.
 */
public interface PollLog extends AutoCloseable {

    /** Adds a batch, whole or not at all. */
    void save(PollBatch batch);

    /** Whose records are asked for: a server knows those that it saved itself through this very log. */
    enum From {
        EVERYBODY,
        OTHERS
    }

    /** Last polls at or after the given time, in no order. */
    List<ObservedPoll> since(Instant time, From from);

    /** Tokens that were used at or after the given time, in no order. */
    List<TokenUse> tokensUsedSince(Instant time, From from);

    /**
     * Refusals at or after the given time, newest first, at most {@code limit}. Only the newest are kept, and of strangers
     * fewer than of others.
     */
    List<Refusal> refusalsSince(Instant time, int limit);

    /** The last answers that a cluster was given, one for each type. */
    List<GivenAnswer> given(String cluster);

    /** Those of all clusters, by cluster and type. */
    List<GivenAnswer> given();

    /** Adds what a backup has; what is known better stays. */
    void restoreGiven(List<GivenAnswer> answers);

    /** Whether any server ever served an answer to the cluster. */
    boolean wasServed(String cluster);

    /** Days on which the cluster was heard from, oldest first. */
    List<HeardDay> heard(String cluster, LocalDate from);

    /** The furthest point of the log that any server answered from: of the highest epoch the highest revision. */
    Optional<Head> highest();

    /** An operator has accepted a log that ends before, so what was seen of another no longer counts. */
    void accept(Head head);

    /** Forgets days before the given one. The last poll of a cluster stays, however long ago it was. */
    void prune(LocalDate before);

    @Override
    void close();
}
