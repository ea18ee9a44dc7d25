package dev.homeport.server;

import dev.homeport.server.command.AdminCommand;
import dev.homeport.server.config.SettingFlags;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The process that runs on the server's machine. */
@Command(
        name = "homeport",
        description = "Runs the Homeport server.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine serve = new CommandLine(new ServeCommand());
        SettingFlags.add(serve.getCommandSpec());
        return new CommandLine(new Main()).addSubcommand(serve).addSubcommand(AdminCommand.commandLine());
    }

    public static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {version == null ? "unpackaged" : version};
        }
    }
}
