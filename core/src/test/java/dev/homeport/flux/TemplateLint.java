package dev.homeport.flux;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a template line by line and says where a value could become something other than a value. */
final class TemplateLint {
    /** Raw text may hold what looks like an action, or several lines. */
    private static final Pattern ACTION =
            Pattern.compile("<<-?\\s*((?:`[^`]*`|\"(?:\\\\.|[^\"\\\\])*\"|[^`\"])*?)\\s*-?>>");

    /** Steers, keeps or refuses; prints nothing. */
    private static final Pattern SILENT =
            Pattern.compile("(if|else|end|range|with|fail)\\b.*|\\$[a-z_]*\\s*:?=\\s.*", Pattern.DOTALL);

    private static final Pattern PRINTED = Pattern.compile(".*\\|\\s*toJson", Pattern.DOTALL);
    private static final String HOLE = "\u0001";

    /** A key without surprises, and behind it nothing, a text in quotes, true, a number, or one printed value. */
    private static final Pattern LINE = Pattern.compile(
            "\\s*(- )?([A-Za-z][A-Za-z0-9./_-]*:)?( ?(\"[^\"\\\\]*\"|true|[0-9]+|" + HOLE + "))?|---|\\s*# .*");

    private TemplateLint() {}

    static List<String> faults(String template) {
        List<String> found = new ArrayList<>();
        Matcher action = ACTION.matcher(template);
        StringBuilder rest = new StringBuilder();
        while (action.find()) {
            String inside = action.group(1);
            boolean silent = SILENT.matcher(inside).matches();
            if (!silent && !PRINTED.matcher(inside).matches()) {
                found.add("does not end in toJson: " + inside);
            }
            action.appendReplacement(rest, silent ? "" : HOLE);
        }
        action.appendTail(rest);
        for (String line : rest.toString().split("\n", -1)) {
            if (!LINE.matcher(line).matches() || line.contains(HOLE) && !line.matches(".*(: |- )" + HOLE)) {
                found.add("is more or less than one value: " + line.replace(HOLE, "<<…>>"));
            }
        }
        return found;
    }
}
