package dev.homeport.snapshot;

import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kubernetes' label selectors: {@code a=b,c!=d,e in (x,y),f notin (z),g,!h}. All parts must hold; empty selects all. */
public record LabelSelector(List<Requirement> requirements) {
    private static final String KEY = "[A-Za-z0-9](?:[A-Za-z0-9./_-]{0,250}[A-Za-z0-9])?";
    private static final String VALUE = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";
    private static final Pattern EQUALITY = Pattern.compile("(" + KEY + ")\\s*(==|=|!=)\\s*(" + VALUE + ")?");
    private static final Pattern SET = Pattern.compile(
            "(" + KEY + ")\\s+(in|notin)\\s*\\(\\s*(" + VALUE + "(?:\\s*,\\s*" + VALUE + "){0,99})\\s*\\)");
    private static final Pattern EXISTS = Pattern.compile("(!?)\\s*(" + KEY + ")");
    private static final int LONGEST = 2000;

    /** One part. */
    public sealed interface Requirement {
        boolean matches(Map<String, String> labels);

        /** The label is there with one of these values. */
        record In(String key, Set<String> values) implements Requirement {
            @Override
            public boolean matches(Map<String, String> labels) {
                String value = labels.get(key);
                return value != null && values.contains(value);
            }
        }

        /** The label is absent, or has none of these values. */
        record NotIn(String key, Set<String> values) implements Requirement {
            @Override
            public boolean matches(Map<String, String> labels) {
                String value = labels.get(key);
                return value == null || !values.contains(value);
            }
        }

        /** The label is there, or is not. */
        record Exists(String key, boolean wanted) implements Requirement {
            @Override
            public boolean matches(Map<String, String> labels) {
                return labels.containsKey(key) == wanted;
            }
        }
    }

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    public static LabelSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        if (text.length() > LONGEST) {
            throw wrong("it is longer than " + LONGEST + " characters");
        }
        for (String part : parts(text)) {
            requirements.add(requirement(part.strip()));
        }
        return new LabelSelector(requirements);
    }

    private static Requirement requirement(String part) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            Set<String> values = new TreeSet<>(List.of(set.group(3).split("\\s*,\\s*")));
            return set.group(2).equals("in")
                    ? new Requirement.In(set.group(1), values)
                    : new Requirement.NotIn(set.group(1), values);
        }
        Matcher equality = EQUALITY.matcher(part);
        if (equality.matches()) {
            Set<String> value = Set.of(equality.group(3) == null ? "" : equality.group(3));
            return equality.group(2).equals("!=")
                    ? new Requirement.NotIn(equality.group(1), value)
                    : new Requirement.In(equality.group(1), value);
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            return new Requirement.Exists(exists.group(2), exists.group(1).isEmpty());
        }
        throw wrong("a part of it cannot be read");
    }

    /** Splits at commas outside parentheses. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && (depth == 0 || i == text.length())) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        return text.isBlank() ? List.of() : parts;
    }

    private static ProblemException wrong(String why) {
        return ProblemException.invalid(
                "/label_selector",
                "the label selector is not valid: " + why,
                "write it like region=eu,tier in (a,b),!old");
    }
}
