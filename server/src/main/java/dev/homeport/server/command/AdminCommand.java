package dev.homeport.server.command;

import dev.homeport.server.config.SettingFlags;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code homeport admin}: the commands of this package. */
@Command(
        name = "admin",
        description = {
            "Maintain the store, on the host where its data folder is.",
            "Exit codes: 0 done, 1 problem with the store, 2 refused."
        },
        mixinStandardHelpOptions = true)
public final class AdminCommand implements Runnable {
    @Spec
    CommandSpec spec;

    private AdminCommand() {}

    public static CommandLine commandLine() {
        CommandLine admin = new CommandLine(new AdminCommand());
        List<StoreCommand> commands = List.of(
                new InitCommand(),
                new StatusCommand(),
                new VerifyCommand(),
                new BackupCommand(),
                new RestoreCommand(),
                new AcceptCommand(),
                new RedactCommand(),
                new RekeyCommand(),
                new KeyCommand(),
                new AuditVerifyCommand(),
                new TokenCommand());
        for (StoreCommand command : commands) {
            CommandLine line = new CommandLine(command);
            SettingFlags.add(line.getCommandSpec());
            admin.addSubcommand(line);
        }
        return admin;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "say what to do");
    }
}
