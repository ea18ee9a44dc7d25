package dev.homeport.bench.poll;

import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.core.SampleFleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Data folders by size of fleet, made when first asked for. */
final class PollFleet implements AutoCloseable {
    private final PollOptions options;

    PollFleet(PollOptions options) {
        this.options = options;
    }

    Path of(int clusters) throws IOException {
        Path data = options.data().resolve("fleet-" + SampleFleet.VERSION + "-" + clusters);
        Path built = Path.of(data + ".built");
        if (!Files.exists(built)) {
            System.err.println("making a fleet of " + clusters + "…");
            delete(data);
            Files.createDirectories(data);
            ChildJvm.run(List.of("-Xmx4g"), PollFleetBuild.class, List.of(data.toString(), Integer.toString(clusters)));
            Files.createFile(built);
        }
        return data;
    }

    @Override
    public void close() throws IOException {
        if (!options.keep()) {
            delete(options.data());
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> paths = Files.walk(folder)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
