package dev.homeport.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the version of this command line.")
final class VersionCommand implements Runnable, IVersionProvider {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().println(version());
    }

    @Override
    public String[] getVersion() {
        return new String[] {version()};
    }

    static String version() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
