package dev.homeport.cli.lifecycle;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code homeport pause CLUSTER}. */
@Command(name = "pause", description = "Pause clusters: freeze their answers until 'homeport resume'.")
final class PauseCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Option(names = "--until", paramLabel = "TIME", description = "Expiry, as 4h, or a time; one cluster.")
    @Nullable
    String until;

    @Override
    public Integer call() {
        return until == null ? life.run("pause") : life.at("pause", "until", until, request -> request);
    }
}
