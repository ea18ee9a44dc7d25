package dev.homeport.server.events;

import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.Stranger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * Compares the answers that clusters say they act on with those that they were given. One that was never given is how a store
 * that is an older copy of itself, or an answer that was replayed, is noticed where nothing else remembers.
 */
public final class ReportedAnswers {
    /** Until then other servers have saved what they gave, and a server that was killed has given it again. */
    private static final Duration SETTLED = Duration.ofMinutes(20);

    /** What was given before answers were recorded is not known, and objects may lag behind for a while. */
    private static final Duration RECORDED = Duration.ofDays(1);

    private static final int MOST_WAITING = 1_000;

    private final Strangers strangers;
    private final BiPredicate<String, String> lastGiven;
    private final Map<Key, Heard> waiting = new ConcurrentHashMap<>();

    private record Key(String cluster, String digest) {}

    private record Heard(String address, Instant at) {}

    /** @param lastGiven whether the last answer to a cluster had a digest, as far as that is in memory */
    public ReportedAnswers(Strangers strangers, BiPredicate<String, String> lastGiven) {
        this.strangers = strangers;
        this.lastGiven = lastGiven;
    }

    void note(String cluster, String digest, String address, Instant at) {
        if (digest.length() >= GivenAnswer.BEGINNING
                && !lastGiven.test(cluster, digest)
                && waiting.size() < MOST_WAITING) {
            waiting.putIfAbsent(new Key(cluster, digest), new Heard(address, at));
        }
    }

    /** Looks at what was reported a while ago. */
    public void compare(Instant now, PollLog observed) {
        waiting.forEach((key, heard) -> {
            if (heard.at().plus(SETTLED).isBefore(now)) {
                List<GivenAnswer> given = observed.given(key.cluster());
                boolean longRecorded = given.stream()
                        .anyMatch(answer -> answer.begun().plus(RECORDED).isBefore(heard.at()));
                if (longRecorded && given.stream().noneMatch(answer -> answer.was(key.digest()))) {
                    strangers.note(key.cluster(), heard.address(), Stranger.UNKNOWN_ANSWER, heard.at());
                }
                waiting.remove(key);
            }
        });
    }
}
