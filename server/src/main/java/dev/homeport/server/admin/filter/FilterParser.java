package dev.homeport.server.admin.filter;

import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the language of {@link Filter}. */
public final class FilterParser {
    private static final int LONGEST = 4000;
    private static final int DEEPEST = 20;
    private static final Pattern TOKEN =
            Pattern.compile("\\s*+(?:(\"(?:[^\"\\\\]|\\\\[\"\\\\])*+\")|(!=|<=|>=|[=<>:(),.])"
                    + "|([A-Za-z0-9_/-]++(?:\\.[0-9]++)*+))");

    private final String pointer;
    private final Set<String> fields;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    private FilterParser(String pointer, Set<String> fields) {
        this.pointer = pointer;
        this.fields = fields;
    }

    /**
     * @param pointer where the filter stands in the request
     * @param fields first names that there are; a mistyped one must not match everything
     */
    public static Filter parse(String text, String pointer, Set<String> fields) {
        FilterParser parser = new FilterParser(pointer, fields);
        parser.read(text);
        Filter filter = parser.expression(0);
        if (parser.at < parser.tokens.size()) {
            throw parser.wrong("there is more than one expression", "join them with AND or OR");
        }
        return filter;
    }

    /** A field alone, as facets name them. */
    public static FieldPath field(String text, String pointer, Set<String> fields) {
        FilterParser parser = new FilterParser(pointer, fields);
        parser.read(text);
        FieldPath path = parser.path();
        if (parser.at < parser.tokens.size()) {
            throw parser.wrong("this is not the name of a field", "write it like labels.region");
        }
        return path;
    }

    private void read(String text) {
        if (text.length() > LONGEST) {
            throw wrong("it is longer than " + LONGEST + " characters", "make it shorter");
        }
        String rest = text.strip();
        Matcher matcher = TOKEN.matcher(rest);
        int end = 0;
        while (end < rest.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw wrong("it cannot be read from character " + (end + 1) + " on", "put values into quotes");
            }
            tokens.add(matcher.group().strip());
            end = matcher.end();
        }
        if (tokens.isEmpty()) {
            throw wrong("it is empty", "leave it out");
        }
    }

    private Filter expression(int depth) {
        if (depth > DEEPEST) {
            throw wrong("it is nested deeper than " + DEEPEST, "make it flatter");
        }
        List<Filter> parts = new ArrayList<>();
        parts.add(term(depth));
        String joint = "";
        while (next().equals("AND") || next().equals("OR")) {
            if (!joint.isEmpty() && !joint.equals(next())) {
                throw wrong("AND and OR are mixed", "say with parentheses which belong together");
            }
            joint = take();
            parts.add(term(depth));
        }
        return parts.size() == 1
                ? parts.getFirst()
                : joint.equals("AND") ? new Filter.All(parts) : new Filter.Any(parts);
    }

    private Filter term(int depth) {
        if (depth > DEEPEST) {
            throw wrong("it is nested deeper than " + DEEPEST, "make it flatter");
        }
        if (next().equals("NOT")) {
            take();
            return new Filter.Not(term(depth + 1));
        }
        if (next().equals("(")) {
            take();
            Filter inner = expression(depth + 1);
            expect(")");
            return inner;
        }
        return comparison();
    }

    private Filter comparison() {
        FieldPath path = path();
        String sign = take();
        if (sign.equals("in")) {
            return new Filter.In(path, values());
        }
        for (Filter.Comparison comparison : Filter.Comparison.values()) {
            if (comparison.sign().equals(sign)) {
                return new Filter.Compare(path, comparison, value());
            }
        }
        throw wrong("after " + path + " a comparison is missing", "use one of = != < <= > >= : in");
    }

    private List<Literal> values() {
        expect("(");
        List<Literal> values = new ArrayList<>();
        values.add(value());
        while (next().equals(",")) {
            take();
            values.add(value());
        }
        expect(")");
        return values;
    }

    private Literal value() {
        String token = take();
        if (isWord(token) || isQuoted(token)) {
            return new Literal(unquoted(token));
        }
        throw wrong("a value is missing", "write it in quotes");
    }

    private FieldPath path() {
        List<String> names = new ArrayList<>();
        names.add(name());
        while (next().equals(".")) {
            take();
            names.add(name());
        }
        if (!fields.contains(names.getFirst())) {
            throw wrong(
                    "there is no field " + names.getFirst().replaceAll("[^\\x20-\\x7E]", "?"),
                    "use one of " + String.join(", ", fields));
        }
        return new FieldPath(names);
    }

    private String name() {
        String token = take();
        if (isWord(token) || isQuoted(token)) {
            return unquoted(token);
        }
        throw wrong("a field is missing", "write it like environment or labels.\"example.com/team\"");
    }

    private static boolean isQuoted(String token) {
        return token.startsWith("\"");
    }

    private static boolean isWord(String token) {
        return token.matches("[A-Za-z0-9_/.-]+") && !token.equals(".");
    }

    private static String unquoted(String token) {
        return isQuoted(token) ? token.substring(1, token.length() - 1).replaceAll("\\\\([\"\\\\])", "$1") : token;
    }

    private String next() {
        return at < tokens.size() ? tokens.get(at) : "";
    }

    private String take() {
        String token = next();
        at++;
        return token;
    }

    private void expect(String wanted) {
        if (!take().equals(wanted)) {
            throw wrong(wanted + " is missing", "close what was opened");
        }
    }

    private ProblemException wrong(String why, String fix) {
        return ProblemException.invalid(pointer, "the filter is not valid: " + why, fix);
    }
}
