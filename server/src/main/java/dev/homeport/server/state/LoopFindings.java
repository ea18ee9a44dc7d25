package dev.homeport.server.state;

import dev.homeport.server.liveness.LoopHealth;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.state.Finding.Kind;
import dev.homeport.server.state.Finding.Severity;
import java.time.Instant;
import java.util.List;

/** Background loops whose turns all fail. */
record LoopFindings(Loops loops) {
    List<Finding> of(Instant now) {
        return loops.failing().stream().map(failure -> finding(failure, now)).toList();
    }

    private static Finding finding(LoopHealth.Failure failure, Instant now) {
        return new Finding(
                Kind.LOOP_FAILING,
                Severity.ERROR,
                "",
                failure.loop(),
                now.minus(failure.duration()),
                "the background loop " + failure.loop() + " has failed on every turn for "
                        + failure.duration().toSeconds() + " s, last with " + failure.cause(),
                "look for '" + failure.loop() + " loop failed' in the server's log; if a restart does not help, report"
                        + " it as a bug");
    }
}
