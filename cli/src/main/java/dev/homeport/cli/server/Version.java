package dev.homeport.cli.server;

import picocli.CommandLine.IVersionProvider;

/** The version of this command line. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {current()};
    }

    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
