package dev.homeport.server.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of event streams.
 *
 * @param open the streams there are now
 * @param logReads commits that were read from the log for one stream
 */
public record StreamCounts(AtomicInteger open, AtomicLong logReads) {
    StreamCounts() {
        this(new AtomicInteger(), new AtomicLong());
    }
}
