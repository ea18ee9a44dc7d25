package dev.homeport.cli.lifecycle;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code homeport resume CLUSTER}. */
@Command(name = "resume", description = "Resume paused clusters.")
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Override
    public Integer call() {
        return life.run("resume");
    }
}
