package dev.homeport.cli;

import dev.homeport.cli.terminal.Progress;
import dev.homeport.cli.terminal.Surroundings;

/** Says on a terminal that something takes its time, from the first second on. */
final class Busy implements AutoCloseable {
    private final Progress progress;
    private final Thread ticker;

    Busy(Surroundings surroundings, String what) {
        this.progress = new Progress(surroundings);
        boolean seen = surroundings.terminals().err();
        this.ticker = Thread.ofPlatform().daemon().unstarted(() -> {
            for (int seconds = 1; Pause.seconds(1); seconds++) {
                progress.say(what + "… " + seconds + " s");
            }
        });
        if (seen) {
            ticker.start();
        }
    }

    @Override
    public void close() {
        ticker.interrupt();
        progress.close();
    }
}
