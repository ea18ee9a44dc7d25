package dev.homeport.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name made from claims: {@code {project_path}:{ref}}. What stands between two claims is in neither of their values, so that
 * two jobs cannot come to the same name.
 */
public final class SubjectTemplate {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]+)}");
    private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9 @:._/=+,|~-]*");

    /** As {@code subject_name} of the schemas has it. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_](?:[A-Za-z0-9 @:._/=+,|~-]*[A-Za-z0-9_=])?");

    private static final int LONGEST = 253;

    private final List<String> literals;
    private final List<String> claims;

    private SubjectTemplate(List<String> literals, List<String> claims) {
        this.literals = literals;
        this.claims = claims;
    }

    public static SubjectTemplate parse(String text) {
        List<String> literals = new ArrayList<>();
        List<String> claims = new ArrayList<>();
        Matcher placeholder = PLACEHOLDER.matcher(text);
        int from = 0;
        while (placeholder.find()) {
            literals.add(text.substring(from, placeholder.start()));
            claims.add(placeholder.group(1));
            from = placeholder.end();
        }
        literals.add(text.substring(from));
        if (text.isEmpty()
                || !literals.stream().allMatch(word -> LITERAL.matcher(word).matches())) {
            throw new IllegalArgumentException("is not a name with claims in it, such as {project_path}:{ref}");
        }
        if (claims.size() > 1 && literals.subList(1, claims.size()).contains("")) {
            throw new IllegalArgumentException("needs something between two claims, such as :");
        }
        return new SubjectTemplate(List.copyOf(literals), List.copyOf(claims));
    }

    public boolean hasClaims() {
        return !claims.isEmpty();
    }

    /** Whether this can be the name of a subject of grants. */
    public static boolean isName(String text) {
        return text.length() <= LONGEST && NAME.matcher(text).matches();
    }

    /**
     * The name, or nothing when a claim is missing or could be mistaken for another.
     *
     * @param values the value of a claim, if it has one
     */
    public Optional<String> render(Function<String, Optional<String>> values) {
        StringBuilder name = new StringBuilder(literals.getFirst());
        for (int i = 0; i < claims.size(); i++) {
            Optional<String> value = values.apply(claims.get(i)).filter(text -> !text.isEmpty());
            if (value.isEmpty() || claims.size() > 1 && holdsSeparator(value.get())) {
                return Optional.empty();
            }
            name.append(value.get()).append(literals.get(i + 1));
        }
        return Optional.of(name.toString());
    }

    private boolean holdsSeparator(String value) {
        return literals.subList(1, claims.size()).stream().anyMatch(value::contains);
    }
}
