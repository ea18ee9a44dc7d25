package dev.homeport.server.events;

import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.Stranger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * Compares the answers and items that clusters say they act on with those that they were given. One that was never given is how
 * a store that is an older copy of itself, or an answer that was replayed, is noticed where nothing else remembers.
 */
public final class ReportedAnswers {
    /** Until then other servers have saved what they gave, and a server that was killed has given it again. */
    private static final Duration SETTLED = Duration.ofMinutes(20);

    /** What was given before answers were recorded is not known, and objects may lag behind for a while. */
    private static final Duration RECORDED = Duration.ofDays(1);

    private static final int MOST_WAITING = 1_000;

    /** One cluster that reports nonsense must not keep others from being heard. */
    private static final int MOST_OF_ONE_CLUSTER = 5;

    private static final int MOST_ITEMS_AT_ONCE = 5;

    /** Length of the digest of an answer. */
    private static final int ANSWER_LENGTH = 32;

    private final Strangers strangers;
    private final BiPredicate<String, String> lastGiven;
    private final Map<Key, Heard> waiting = new ConcurrentHashMap<>();

    /** @param component whose item it is, empty for a whole answer */
    private record Key(String cluster, String component, String digest) {
        boolean isAnswer() {
            return component.isEmpty();
        }
    }

    private record Heard(String address, Instant at) {}

    /** Every answer that a cluster could have had. */
    public interface Past {
        /** Whether the cluster was ever given this item; empty when it takes too long to find out. */
        Optional<Boolean> contains(String cluster, String component, String digest);
    }

    /** @param lastGiven whether the last answer to a cluster had a digest, as far as that is in memory */
    public ReportedAnswers(Strangers strangers, BiPredicate<String, String> lastGiven) {
        this.strangers = strangers;
        this.lastGiven = lastGiven;
    }

    /** A cluster said which answer an object was made from. */
    void noteAnswer(String cluster, String digest, String address, Instant at) {
        if (digest.length() == ANSWER_LENGTH && !lastGiven.test(cluster, digest)) {
            note(new Key(cluster, "", digest), address, at);
        }
    }

    /** A cluster said which item an object was made from, and it is not one that it was given lately. */
    void noteItem(String cluster, String component, String digest, String address, Instant at) {
        note(new Key(cluster, component, digest), address, at);
    }

    private void note(Key key, String address, Instant at) {
        if (waiting.size() < MOST_WAITING
                && waiting.keySet().stream()
                                .filter(one -> one.cluster().equals(key.cluster()))
                                .count()
                        < MOST_OF_ONE_CLUSTER) {
            waiting.putIfAbsent(key, new Heard(address, at));
        }
    }

    /** Looks at the answers that were reported a while ago. */
    public void compareAnswers(Instant now, PollLog observed) {
        settled(now, true).forEach((key, heard) -> {
            List<GivenAnswer> given = observed.given(key.cluster());
            boolean longRecorded = given.stream()
                    .anyMatch(answer -> answer.begun().plus(RECORDED).isBefore(heard.at()));
            if (longRecorded && given.stream().noneMatch(answer -> answer.was(key.digest()))) {
                strangers.note(key.cluster(), heard.address(), Stranger.UNKNOWN_ANSWER, heard.at());
            }
            waiting.remove(key);
        });
    }

    /** Looks at some of the items that were reported a while ago. */
    public void compareItems(Instant now, Past past) {
        settled(now, false).entrySet().stream().limit(MOST_ITEMS_AT_ONCE).forEach(entry -> {
            Key key = entry.getKey();
            Heard heard = entry.getValue();
            if (!past.contains(key.cluster(), key.component(), key.digest()).orElse(true)) {
                strangers.note(key.cluster(), heard.address(), Stranger.UNKNOWN_ANSWER, heard.at());
            }
            waiting.remove(key);
        });
    }

    private Map<Key, Heard> settled(Instant now, boolean answers) {
        Map<Key, Heard> settled = new HashMap<>(waiting);
        settled.entrySet()
                .removeIf(entry -> entry.getKey().isAnswer() != answers
                        || !entry.getValue().at().plus(SETTLED).isBefore(now));
        return settled;
    }
}
