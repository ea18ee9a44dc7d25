package dev.homeport.demo;

import picocli.CommandLine;

/** The process of {@code homeport demo}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new DemoCommand()).execute(args));
    }
}
