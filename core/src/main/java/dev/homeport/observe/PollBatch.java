package dev.homeport.observe;

import dev.homeport.change.Head;
import java.util.List;
import java.util.Set;

/**
 * What was seen since the last time.
 *
 * @param polls at most one per cluster and type
 * @param served clusters that were given an answer; the last poll of each may have ended otherwise
 * @param head the end of the log as this server knows it
 */
public record PollBatch(List<ObservedPoll> polls, Set<String> served, Head head) {
    public PollBatch {
        polls = List.copyOf(polls);
        served = Set.copyOf(served);
    }
}
