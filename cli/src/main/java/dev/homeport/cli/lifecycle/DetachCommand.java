package dev.homeport.cli.lifecycle;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code homeport detach CLUSTER}. */
@Command(name = "detach", description = "Stop managing clusters and leave everything on them.")
final class DetachCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Override
    public Integer call() {
        return life.run("detach");
    }
}
