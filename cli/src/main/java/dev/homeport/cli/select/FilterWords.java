package dev.homeport.cli.select;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Short words in filters, as people say them. */
public final class FilterWords {
    private static final Map<String, String> FIELDS =
            Map.of("env", "environment", "state", "status.state", "phase", "status.phase", "name", "id");

    /** A quoted value, or a whole field before a comparison. */
    private static final Pattern PIECE = Pattern.compile(
            "(\"(?:[^\"\\\\]|\\\\.)*\")|(?<![A-Za-z0-9_./-])(env|state|phase|name)(?=\\s*(?:=|!=|:|<|>))");

    private FilterWords() {}

    public static String rewritten(String filter, boolean clusters) {
        if (!clusters) {
            return filter;
        }
        return PIECE.matcher(filter)
                .replaceAll(piece -> Matcher.quoteReplacement(
                        piece.group(1) != null ? piece.group(1) : FIELDS.getOrDefault(piece.group(2), piece.group(2))));
    }

    public static String quoted(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
