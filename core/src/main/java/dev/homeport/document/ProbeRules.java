package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a probe must be beyond its schema. Its expression becomes a part of a larger one, so it must be whole in itself: nothing
 * in it may end the part before its end. Flux Operator compiles it; an error there is the probe's answer.
 */
final class ProbeRules {
    private static final String EXPRESSION = "/expression";
    private static final int DEEPEST = 20;

    /** Each of them may run over a whole list for each element of another. */
    private static final int MOST_LOOPS = 3;

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7E]*");
    private static final Pattern LOOP =
            Pattern.compile("\\.\\s*(?:map|filter|all|exists|exists_one|existsOne|transform\\w*|sortBy)\\s*\\(");

    private ProbeRules() {}

    static List<Violation> check(ObjectNode probe) {
        List<Violation> found = new ArrayList<>();
        String kind = probe.path("object").path("kind").asString("");
        if (kind.toLowerCase(Locale.ROOT).equals("secret")) {
            found.add(new Violation(
                    "/object/kind",
                    "a probe must not read a Secret: its answer leaves the cluster",
                    "probe the object that uses the Secret, such as its owner's status"));
        }
        String expression = probe.path("expression").asString("");
        fault(expression)
                .ifPresent(fault -> found.add(new Violation(
                        EXPRESSION, fault, "write one CEL expression such as status.readyReplicas >= 2")));
        return found;
    }

    private static Optional<String> fault(String expression) {
        if (expression.isBlank()) {
            return Optional.of("the expression is empty");
        }
        if (!PRINTABLE.matcher(expression).matches()) {
            return Optional.of("the expression has a line break or a character that is not printable ASCII");
        }
        StringBuilder code = new StringBuilder();
        Optional<String> fault = withoutTexts(expression, code);
        if (fault.isPresent()) {
            return fault;
        }
        if (code.indexOf("//") >= 0) {
            return Optional.of("the expression has a comment");
        }
        if (LOOP.matcher(code).results().count() > MOST_LOOPS) {
            return Optional.of("the expression has more than " + MOST_LOOPS + " of map, filter, all and exists");
        }
        return unbalanced(code);
    }

    /** Copies what is not inside of quotes; prefixes and triple quotes have rules of their own and are refused. */
    private static Optional<String> withoutTexts(String expression, StringBuilder code) {
        int at = 0;
        while (at < expression.length()) {
            char quote = expression.charAt(at);
            if (quote != '\'' && quote != '"') {
                code.append(quote);
                at++;
                continue;
            }
            if (at > 0 && Character.isLetterOrDigit(expression.charAt(at - 1))
                    || expression.startsWith(String.valueOf(quote).repeat(3), at)) {
                return Optional.of("the expression has a text with a prefix or three quotes");
            }
            int end = at + 1;
            while (end < expression.length() && expression.charAt(end) != quote) {
                end += expression.charAt(end) == '\\' ? 2 : 1;
            }
            if (end >= expression.length()) {
                return Optional.of("the expression has a text without its closing quote");
            }
            code.append("''");
            at = end + 1;
        }
        return Optional.empty();
    }

    private static Optional<String> unbalanced(CharSequence code) {
        Deque<Character> open = new ArrayDeque<>();
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            switch (c) {
                case '(' -> open.push(')');
                case '[' -> open.push(']');
                case '{' -> open.push('}');
                case ')', ']', '}' -> {
                    if (open.isEmpty() || open.pop() != c) {
                        return Optional.of("the expression has a closing " + c + " that nothing opens");
                    }
                }
                default -> {}
            }
            if (open.size() > DEEPEST) {
                return Optional.of("the expression has brackets more than " + DEEPEST + " deep");
            }
        }
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of("the expression has a bracket without its closing " + open.peek());
    }
}
