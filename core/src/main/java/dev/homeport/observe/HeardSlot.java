package dev.homeport.observe;

import java.time.LocalDate;

/** Five minutes in which a cluster was heard from. */
public record HeardSlot(String cluster, LocalDate day, int slot) {
    public static HeardSlot of(ObservedPoll poll) {
        return new HeardSlot(poll.cluster(), HeardDay.dayOf(poll.at()), HeardDay.slotOf(poll.at()));
    }
}
