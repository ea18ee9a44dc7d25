package dev.homeport.bench.core;

import dev.homeport.change.AppendResult;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.ForwardingLog;
import dev.homeport.change.Proposal;

/** The store, with a look at the clock around appends: most of a commit is waiting for the disk, and that is not ours. */
final class TimedLog extends ForwardingLog {
    private final ChangeLog log;
    private long lastAppendNanos;

    TimedLog(ChangeLog log) {
        this.log = log;
    }

    long lastAppendNanos() {
        return lastAppendNanos;
    }

    @Override
    protected ChangeLog log() {
        return log;
    }

    @Override
    public AppendResult append(Proposal proposal) {
        long start = System.nanoTime();
        AppendResult result = log.append(proposal);
        lastAppendNanos = System.nanoTime() - start;
        return result;
    }
}
