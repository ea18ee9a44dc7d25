package dev.homeport.server.command;

import dev.homeport.observe.Observations;
import dev.homeport.observe.Stranger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Polls that were refused since the quarantine began.
 *
 * @param names how many names in paths there were
 */
record QuarantinePolls(long count, long names, Instant last) {
    private static final int MOST = 10_000;

    static Optional<QuarantinePolls> in(Observations observed) {
        List<Stranger> all = observed.strangersSince(Instant.EPOCH, MOST).stream()
                .filter(one -> one.why().equals(Stranger.IN_QUARANTINE))
                .toList();
        return all.stream()
                .map(Stranger::lastAt)
                .max(Instant::compareTo)
                .map(last -> new QuarantinePolls(
                        all.stream().mapToLong(Stranger::count).sum(),
                        all.stream().map(Stranger::name).distinct().count(),
                        last));
    }

    String shown() {
        return count + " polls of " + names + " names in quarantine, the last at " + last;
    }
}
