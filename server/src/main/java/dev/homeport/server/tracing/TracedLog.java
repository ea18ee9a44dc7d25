package dev.homeport.server.tracing;

import dev.homeport.change.AppendResult;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.ForwardingLog;
import dev.homeport.change.Proposal;

/** A log whose appends are traced; all else is as it was. */
public final class TracedLog extends ForwardingLog {
    private final ChangeLog log;
    private final Tracing tracing;

    public TracedLog(ChangeLog log, Tracing tracing) {
        this.log = log;
        this.tracing = tracing;
    }

    @Override
    protected ChangeLog log() {
        return log;
    }

    @Override
    public AppendResult append(Proposal proposal) {
        try (Tracing.Part _ = tracing.appending()) {
            return log.append(proposal);
        }
    }
}
