package dev.homeport.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code homeport resume CLUSTER}. */
@Command(name = "resume", description = "Lets paused clusters go on.")
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Override
    public Integer call() {
        return life.run("resume");
    }
}
