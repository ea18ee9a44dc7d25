package dev.homeport.server.stream;

import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.problem.ProblemException;
import java.util.HashSet;
import java.util.Set;

/** Which types a reader wants to hear of; all, unless it names some. */
record TypeFilter(Set<String> names) {
    TypeFilter {
        names = Set.copyOf(names);
    }

    /** Names or plurals, separated by commas. */
    static TypeFilter parse(String text, TypeCatalog types) {
        Set<String> names = new HashSet<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            names.add(types.named(word)
                    .or(() -> types.withPlural(word))
                    .map(TypeDefinition::name)
                    .orElseThrow(() -> ProblemException.invalid(
                            "/types", "there is no such type", "name types as in /api/v2/types, separated by commas")));
        }
        return new TypeFilter(names);
    }

    boolean takes(String type) {
        return names.isEmpty() || names.contains(type);
    }
}
