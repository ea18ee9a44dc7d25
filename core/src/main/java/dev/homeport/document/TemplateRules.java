package dev.homeport.document;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads a template of a ResourceSet and says where a value could become something other than a value. Every value is one
 * action that ends in {@code toJson}, and stands alone behind its key.
 */
public final class TemplateRules {
    private static final String OPEN = "<<";
    private static final String CLOSE = ">>";

    /** Steers, keeps or refuses; prints nothing. */
    private static final Pattern SILENT =
            Pattern.compile("(if|else|end|range|with|fail)\\b.*|\\$[a-z_]*\\s*:?=\\s.*", Pattern.DOTALL);

    private static final Pattern PRINTED = Pattern.compile("\\|\\s*toJson$");
    private static final String HOLE = "\u0001";

    /** A key without surprises, and behind it nothing, a text in quotes, true, a number, or one printed value. */
    private static final Pattern LINE = Pattern.compile(
            "\\s*(- )?([A-Za-z][A-Za-z0-9./_-]*:)?( ?(\"[^\"\\\\]*\"|true|[0-9]+|" + HOLE + "))?|---|\\s*# .*");

    private TemplateRules() {}

    /** What is wrong with it, in words. */
    public static List<String> faults(String template) {
        List<String> found = new ArrayList<>();
        if (template.contains(HOLE)) {
            found.add("has a control character");
            return found;
        }
        StringBuilder rest = new StringBuilder();
        int at = 0;
        for (int open = template.indexOf(OPEN); open >= 0; open = template.indexOf(OPEN, at)) {
            int close = end(template, open + OPEN.length());
            if (close < 0) {
                found.add("has an action that does not end, or a ' in it: " + line(template, open));
                return found;
            }
            String inside = inside(template, open, close);
            boolean silent = SILENT.matcher(inside).matches();
            if (!silent && !PRINTED.matcher(inside).find()) {
                found.add("does not end in toJson: " + inside);
            }
            rest.append(template, at, open).append(silent ? "" : HOLE);
            at = close + CLOSE.length();
        }
        rest.append(template, at, template.length());
        for (String line : rest.toString().split("\n", -1)) {
            if (!LINE.matcher(line).matches() || line.contains(HOLE) && !line.matches(".*(: |- )" + HOLE)) {
                found.add("is more or less than one value: " + line.replace(HOLE, "<<…>>"));
            }
        }
        return found;
    }

    /** Where the action ends; raw text and text in quotes may hold what looks like an end. Negative: nowhere. */
    private static int end(String template, int from) {
        int at = from;
        while (at < template.length()) {
            char c = template.charAt(at);
            if (c == '`') {
                at = template.indexOf('`', at + 1);
            } else if (c == '"') {
                at = closingQuote(template, at + 1);
            } else if (c == '\'') {
                return -1; // a character such as '"' would make the rest look like text
            } else if (template.startsWith(CLOSE, at)) {
                return at;
            }
            if (at < 0) {
                return -1;
            }
            at++;
        }
        return -1;
    }

    private static String line(String template, int from) {
        int end = template.indexOf('\n', from);
        return template.substring(from, end < 0 ? template.length() : end);
    }

    private static int closingQuote(String template, int from) {
        for (int at = from; at < template.length(); at++) {
            char c = template.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '"') {
                return at;
            }
        }
        return -1;
    }

    /** Without the hyphens that only trim spaces. */
    private static String inside(String template, int open, int close) {
        int from = open + OPEN.length();
        int to = close;
        if (template.startsWith("- ", from)) {
            from++;
        }
        if (to > from && template.charAt(to - 1) == '-') {
            to--;
        }
        return template.substring(from, to).strip();
    }
}
