package dev.homeport.cli.lifecycle;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code homeport undelete CLUSTER}. */
@Command(name = "undelete", description = "Undo a decommission or a detach.")
final class UndeleteCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Override
    public Integer call() {
        return life.run("undelete");
    }
}
