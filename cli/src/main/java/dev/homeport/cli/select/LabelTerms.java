package dev.homeport.cli.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label selector, divided into what is about labels and what is about a cluster's fields: {@code -l env=prod} means the
 * environment as well as a label of that name.
 *
 * @param labels what is left for the API's label selector
 * @param filters expressions for the API's filter
 */
public record LabelTerms(String labels, List<String> filters) {
    private static final Map<String, String> FIELDS = Map.of(
            "env", "environment",
            "environment", "environment",
            "workspace", "workspace",
            "template", "template",
            "owner", "owner");
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern EQUALS = Pattern.compile("\\s*([a-z]+)\\s*(==|=|!=)\\s*([^\\s=!,()]*)\\s*");
    private static final Pattern IN = Pattern.compile("\\s*([a-z]+)\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*");

    public static LabelTerms parse(String selector, boolean clusters) {
        if (!clusters || selector.isBlank()) {
            return new LabelTerms(selector.strip(), List.of());
        }
        List<String> labels = new ArrayList<>();
        List<String> filters = new ArrayList<>();
        for (String term : COMMA.split(selector, -1)) {
            Matcher equal = EQUALS.matcher(term);
            Matcher in = IN.matcher(term);
            if (equal.matches() && FIELDS.containsKey(equal.group(1))) {
                filters.add(filter(
                        equal.group(1), List.of(equal.group(3)), equal.group(2).equals("!=")));
            } else if (in.matches() && FIELDS.containsKey(in.group(1))) {
                filters.add(filter(
                        in.group(1),
                        List.of(in.group(3).strip().split("\\s*,\\s*")),
                        in.group(2).equals("notin")));
            } else {
                labels.add(term.strip());
            }
        }
        return new LabelTerms(String.join(",", labels), filters);
    }

    private static String filter(String key, List<String> values, boolean not) {
        List<String> any = new ArrayList<>();
        for (String value : values) {
            any.add(FIELDS.getOrDefault(key, key) + " = " + FilterWords.quoted(value));
            any.add("labels." + key + " = " + FilterWords.quoted(value));
        }
        return (not ? "NOT (" : "(") + String.join(" OR ", any) + ")";
    }
}
