package dev.homeport.cli;

import dev.homeport.api.CliVersions;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Surroundings;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Warns once in a command if the server does not work with this version of the command line. */
final class VersionSkew implements Consumer<CliVersions> {
    private final Surroundings surroundings;
    private final AtomicBoolean said = new AtomicBoolean();

    VersionSkew(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    void mute() {
        said.set(true);
    }

    @Override
    public void accept(CliVersions supported) {
        String own = VersionCommand.version();
        CliVersions.Place place = supported.placeOf(own).orElse(CliVersions.Place.SUPPORTED);
        if (place == CliVersions.Place.SUPPORTED || !said.compareAndSet(false, true)) {
            return;
        }
        String range = "from " + supported.oldest() + " to before " + supported.before();
        surroundings
                .err()
                .println("warning: this is homeport " + SafeText.line(own) + ", and the server works with versions "
                        + SafeText.line(range) + ": it may refuse or misread what you ask; "
                        + (place == CliVersions.Place.OLDER
                                ? "install a newer command line"
                                : "install the server's release of the command line, or upgrade the server"));
        surroundings.err().flush();
    }
}
