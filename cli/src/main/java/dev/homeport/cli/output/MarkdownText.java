package dev.homeport.cli.output;

import dev.homeport.cli.terminal.SafeText;
import java.util.List;

/** Tables that a wiki or a ticket shows. */
public final class MarkdownText {
    private MarkdownText() {}

    public static String row(List<String> cells) {
        return "| " + String.join(" | ", cells.stream().map(MarkdownText::cell).toList()) + " |";
    }

    public static String rule(int columns) {
        return "|" + " --- |".repeat(columns);
    }

    private static String cell(String text) {
        return SafeText.line(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replaceAll("([\\\\`*_\\[\\]|])", "\\\\$1");
    }
}
