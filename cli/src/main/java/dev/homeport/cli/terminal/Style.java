package dev.homeport.cli.terminal;

/** Colours, where they are wanted: never the only carrier of a meaning. */
public enum Style {
    PLAIN,
    COLOURED;

    public static Style of(ProcessEnvironment process, boolean terminal) {
        if (process.variable("NO_COLOR").isPresent()
                || process.variable("TERM").orElse("").equals("dumb")) {
            return PLAIN;
        }
        boolean forced = !process.variable("CLICOLOR_FORCE").orElse("0").equals("0");
        boolean unwanted = process.variable("CLICOLOR").orElse("1").equals("0");
        return forced || terminal && !unwanted ? COLOURED : PLAIN;
    }

    public String bold(String text) {
        return with("1", text);
    }

    public String red(String text) {
        return with("31", text);
    }

    public String green(String text) {
        return with("32", text);
    }

    public String yellow(String text) {
        return with("33", text);
    }

    public String faint(String text) {
        return with("2", text);
    }

    /** The colour of a cluster's state. */
    public String state(String word) {
        return switch (word) {
            case "failing", "silent" -> red(word);
            case "pending", "applying", "removing", "paused", "leaving", "detached" -> yellow(word);
            case "in-sync" -> green(word);
            default -> word;
        };
    }

    private String with(String code, String text) {
        return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
