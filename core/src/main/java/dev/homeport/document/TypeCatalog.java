package dev.homeport.document;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All types there are. Built-in types and types added at run time differ in nothing but where their schema comes from. */
public final class TypeCatalog {
    private final SortedMap<String, TypeDefinition> byName;
    private final SortedMap<String, TypeDefinition> byPlural;
    private final List<String> itemTypes;

    private TypeCatalog(SortedMap<String, TypeDefinition> byName) {
        this.byName = Collections.unmodifiableSortedMap(byName);
        SortedMap<String, TypeDefinition> plurals = new TreeMap<>();
        byName.values().forEach(type -> plurals.put(type.plural(), type));
        // What clusters poll stays where it is, also when a new release brings a type with the same plural.
        byName.values().stream()
                .filter(type -> type.part() == TypeDefinition.Part.ITEM)
                .forEach(type -> plurals.put(type.plural(), type));
        this.byPlural = Collections.unmodifiableSortedMap(plurals);
        this.itemTypes = byName.values().stream()
                .filter(type -> type.part() == TypeDefinition.Part.ITEM)
                .map(TypeDefinition::name)
                .toList();
    }

    public static TypeCatalog of(Collection<TypeDefinition> types) {
        SortedMap<String, TypeDefinition> byName = new TreeMap<>();
        types.forEach(type -> byName.put(type.name(), type));
        return new TypeCatalog(byName);
    }

    public Optional<TypeDefinition> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Optional<TypeDefinition> withPlural(String plural) {
        return Optional.ofNullable(byPlural.get(plural));
    }

    public Collection<TypeDefinition> all() {
        return byName.values();
    }

    /** Names of the types that clusters are served, in order. */
    public List<String> itemTypes() {
        return itemTypes;
    }

    public TypeCatalog with(TypeDefinition type) {
        SortedMap<String, TypeDefinition> next = new TreeMap<>(byName);
        next.put(type.name(), type);
        return new TypeCatalog(next);
    }

    public TypeCatalog without(String name) {
        SortedMap<String, TypeDefinition> next = new TreeMap<>(byName);
        next.remove(name);
        return new TypeCatalog(next);
    }
}
