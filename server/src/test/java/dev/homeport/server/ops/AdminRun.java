package dev.homeport.server.ops;

import dev.homeport.server.command.AdminCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** {@code homeport admin …} and what it said. */
record AdminRun(int code, String out, String err) {
    static AdminRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine admin = AdminCommand.commandLine();
        admin.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = admin.execute(arguments);
        return new AdminRun(code, out.toString(), err.toString());
    }
}
