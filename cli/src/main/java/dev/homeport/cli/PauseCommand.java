package dev.homeport.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code homeport pause CLUSTER}. */
@Command(name = "pause", description = "Keeps the answers of clusters as they are, whatever changes around them.")
final class PauseCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Option(names = "--until", paramLabel = "TIME", description = "When it ends by itself: 4h, or a time; one cluster.")
    @Nullable
    String until;

    @Override
    public Integer call() {
        return until == null ? life.run("pause") : life.at("pause", "until", until, request -> request);
    }
}
