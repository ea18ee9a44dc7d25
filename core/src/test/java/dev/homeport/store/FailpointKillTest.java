package dev.homeport.store;

import dev.homeport.change.Failpoint;
import org.junit.jupiter.api.Test;

class FailpointKillTest extends FailpointKillContract {
    @Override
    Backend fresh() {
        return SqliteBackend.fresh();
    }

    @Override
    String place(Backend backend) {
        return ((SqliteBackend) backend).directory().toString();
    }

    /** Nothing in this JVM is armed, and there is no way to arm it once it runs. */
    @Test
    void withoutThePropertyNothingHappens() {
        for (Failpoint failpoint : Failpoint.values()) {
            failpoint.reach();
        }
        System.setProperty("homeport.failpoint", "APPEND_LOCKED:1");
        try {
            Failpoint.APPEND_LOCKED.reach();
        } finally {
            System.clearProperty("homeport.failpoint");
        }
    }
}
