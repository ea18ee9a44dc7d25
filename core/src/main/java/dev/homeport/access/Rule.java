package dev.homeport.access;

import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.FleetView;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One permission of a role: these verbs on these types. */
record Rule(Set<String> verbs, Set<String> types) {
    static final String ALL = "*";
    static final String ITEMS = "@items";
    static final Rule EVERYTHING = new Rule(Set.of(ALL), Set.of(ALL));

    Rule {
        verbs = Set.copyOf(verbs);
        types = Set.copyOf(types);
    }

    static Set<String> texts(JsonNode array) {
        Set<String> texts = new HashSet<>();
        array.forEach(text -> texts.add(text.stringValue("")));
        return texts;
    }

    boolean isEverything() {
        return verbs.contains(ALL) && types.contains(ALL);
    }

    boolean hasVerb(String verb) {
        return verbs.contains(ALL) || verbs.contains(verb);
    }

    /** @param type a type's name, or {@link #ITEMS} or {@link #ALL} itself */
    boolean hasType(String type, FleetView view) {
        return types.contains(ALL) || types.contains(type) || types.contains(ITEMS) && isItem(type, view);
    }

    static boolean isItem(String type, FleetView view) {
        return view.types()
                .named(type)
                .map(known -> known.part() == TypeDefinition.Part.ITEM)
                .orElse(false);
    }

    /** The rest of the rule when a grant names only some verbs and types. */
    Rule narrowed(Set<String> onlyVerbs, Set<String> onlyTypes, FleetView view) {
        return new Rule(
                onlyVerbs.isEmpty() || onlyVerbs.contains(ALL) ? verbs : kept(onlyVerbs, this::hasVerb),
                onlyTypes.isEmpty() ? types : kept(onlyTypes, type -> hasType(type, view)));
    }

    /** The intersection of both. */
    Rule and(Rule other, FleetView view) {
        Set<String> words = new HashSet<>(kept(verbs, other::hasVerb));
        words.addAll(kept(other.verbs, this::hasVerb));
        Set<String> names = new HashSet<>(kept(types, type -> other.hasType(type, view)));
        names.addAll(kept(other.types, type -> hasType(type, view)));
        return new Rule(words, names);
    }

    private static Set<String> kept(Set<String> words, java.util.function.Predicate<String> allowed) {
        return words.stream().filter(allowed).collect(java.util.stream.Collectors.toSet());
    }
}
