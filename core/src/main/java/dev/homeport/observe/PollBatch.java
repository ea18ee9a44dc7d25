package dev.homeport.observe;

import dev.homeport.change.Head;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What was seen since the last time.
 *
 * @param polls at most one per cluster and type
 * @param heard when clusters were heard from, as far as that was not saved before
 * @param served clusters that were given an answer; the last poll of each may have ended otherwise
 * @param given answers that clusters were given and had not been given by their polls before
 * @param tokens at most one use per token
 * @param head the end of the log as this server knows it
 */
public record PollBatch(
        List<ObservedPoll> polls,
        Set<HeardSlot> heard,
        Set<String> served,
        List<GivenAnswer> given,
        List<TokenUse> tokens,
        List<Refusal> refusals,
        Head head) {
    public PollBatch {
        polls = List.copyOf(polls);
        heard = Set.copyOf(heard);
        served = Set.copyOf(served);
        given = List.copyOf(given);
        tokens = List.copyOf(tokens);
        refusals = List.copyOf(refusals);
    }

    public PollBatch(List<ObservedPoll> polls, Set<String> served, Head head) {
        this(
                polls,
                polls.stream().map(HeardSlot::of).collect(Collectors.toUnmodifiableSet()),
                served,
                List.of(),
                List.of(),
                List.of(),
                head);
    }

    /** Whether there is nothing in it but the head. */
    public boolean isIdle() {
        return polls.isEmpty() && served.isEmpty() && given.isEmpty() && tokens.isEmpty() && refusals.isEmpty();
    }
}
