package dev.homeport.cli.write;

import dev.homeport.cli.terminal.Pause;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.Progress;

/** Says on a terminal that something takes its time, from the first second on. */
public final class Busy implements AutoCloseable {
    private final Progress progress;
    private final Thread ticker;

    public Busy(ProcessEnvironment process, String what) {
        this.progress = new Progress(process);
        boolean seen = process.terminals().err();
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
