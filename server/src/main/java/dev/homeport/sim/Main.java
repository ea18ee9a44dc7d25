package dev.homeport.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** The process of {@code homeport simulate}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
            root.setLevel(Level.ERROR);
        }
        System.exit(new CommandLine(new SimulateCommand()).execute(args));
    }
}
