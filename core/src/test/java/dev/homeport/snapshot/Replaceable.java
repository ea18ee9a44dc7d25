package dev.homeport.snapshot;

import dev.homeport.change.ChangeLog;
import dev.homeport.change.ForwardingLog;

/** A log whose database is exchanged while it is in use, as by a failover to a standby that lags. */
final class Replaceable extends ForwardingLog {
    ChangeLog store;

    Replaceable(ChangeLog store) {
        this.store = store;
    }

    @Override
    protected ChangeLog log() {
        return store;
    }
}
