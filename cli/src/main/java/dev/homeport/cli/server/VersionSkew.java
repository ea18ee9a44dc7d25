package dev.homeport.cli.server;

import dev.homeport.api.CliVersions;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Warns once in a command if the server does not work with this version of the command line. */
public final class VersionSkew implements Consumer<CliVersions> {
    private final ProcessEnvironment process;
    private final AtomicBoolean said = new AtomicBoolean();

    public VersionSkew(ProcessEnvironment process) {
        this.process = process;
    }

    public void mute() {
        said.set(true);
    }

    @Override
    public void accept(CliVersions supported) {
        String own = Version.current();
        CliVersions.Place place = supported.placeOf(own).orElse(CliVersions.Place.SUPPORTED);
        if (place == CliVersions.Place.SUPPORTED || !said.compareAndSet(false, true)) {
            return;
        }
        String range = "from " + supported.oldest() + " to before " + supported.before();
        process.err()
                .println("warning: this is homeport " + SafeText.line(own) + ", and the server works with versions "
                        + SafeText.line(range) + ": it may refuse or misread what you ask; "
                        + (place == CliVersions.Place.OLDER
                                ? "install a newer command line"
                                : "install the server's release of the command line, or upgrade the server"));
        process.err().flush();
    }
}
