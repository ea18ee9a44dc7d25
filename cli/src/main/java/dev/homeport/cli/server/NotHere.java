package dev.homeport.cli.server;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** What people may have read of, and what there is instead. */
public record NotHere(String what, String next) {
    private static final NotHere ROLLOUTS = new NotHere(
            "this version has no rollouts: a change reaches each cluster with its next poll",
            "leave --rollout away; choose clusters with -l or --filter, look with --dry-run, follow with --wait");
    private static final NotHere POLICIES =
            new NotHere("this version has no policies and no exemptions", "see homeport --help for what there is");
    private static final NotHere REVIEWS =
            new NotHere("this version has no reviews", "who changed what and why: homeport audit --since 90d -o csv");

    /** Null if it is something else that is wrong. */
    public static @Nullable NotHere about(String[] words, CommandLine.ParameterException wrong) {
        if (wrong instanceof CommandLine.UnmatchedArgumentException unmatched
                && unmatched.getUnmatched().stream().anyMatch(word -> word.matches("--rollout(=.*)?"))) {
            return ROLLOUTS;
        }
        List<String> first = List.of(words).subList(0, Math.min(2, words.length));
        boolean reading = !first.isEmpty() && Set.of("get", "describe").contains(first.getFirst());
        String word = reading ? first.getLast() : first.isEmpty() ? "" : first.getFirst();
        return named(word);
    }

    public static @Nullable NotHere named(String word) {
        return switch (word) {
            case "rollout", "rollouts", "ro" -> ROLLOUTS;
            case "exempt", "exemption", "exemptions", "ex", "policy", "policies", "pol" -> POLICIES;
            case "review", "reviews" -> REVIEWS;
            default -> null;
        };
    }
}
