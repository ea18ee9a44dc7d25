package dev.homeport.access;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.Problem;
import dev.homeport.problem.Violation;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes the names of hidden documents from messages. */
final class Redactor {
    private static final Pattern KEY = Pattern.compile("\\b([a-z][a-z0-9_]*)/([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)");

    private final Powers powers;

    Redactor(Powers powers) {
        this.powers = powers;
    }

    String discreet(String text) {
        return discreet(text, key -> powers.isHidden(key.group(1), key.group(2)));
    }

    private static String discreet(String text, Predicate<MatchResult> hidden) {
        return KEY.matcher(text)
                .replaceAll(key -> Matcher.quoteReplacement(
                        hidden.test(key) ? "another " + key.group(1).replace('_', ' ') : key.group()));
    }

    Problem discreet(Problem problem) {
        return switch (problem) {
            case Problem.Refused refused -> {
                UnaryOperator<String> words = words(refused);
                Set<String> involved = new HashSet<>();
                yield new Problem.Refused(
                        refused.code(),
                        words.apply(refused.detail()),
                        words.apply(refused.next()),
                        refused.involved().stream()
                                .map(words)
                                .filter(involved::add)
                                .toList());
            }
            case Problem.Invalid invalid ->
                new Problem.Invalid(
                        invalid.code(),
                        invalid.violations().stream()
                                .map(violation -> new Violation(
                                        violation.pointer(), discreet(violation.detail()), discreet(violation.fix())))
                                .toList());
        };
    }

    /**
     * A refusal names first what the caller has named, which stays. All other names that the caller does not see are removed,
     * so that the message is the same whether a hidden document exists or not.
     */
    private UnaryOperator<String> words(Problem.Refused refused) {
        if (refused.code() != ErrorCode.NOT_FOUND && refused.code() != ErrorCode.FORBIDDEN) {
            return this::discreet;
        }
        Matcher first = KEY.matcher(refused.detail());
        String named = first.find() ? first.group() : "";
        return text -> discreet(text, key -> !key.group().equals(named) && !powers.isSeen(key.group(1), key.group(2)));
    }
}
