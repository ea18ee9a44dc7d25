package dev.homeport.write;

import dev.homeport.access.Powers;
import dev.homeport.access.ScheduledActions;
import dev.homeport.access.Verb;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.RuntimeTypes;
import dev.homeport.document.Stamp;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Overlay;
import dev.homeport.snapshot.Snapshot;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the documents would be after a request, beside what they are. */
final class Draft implements FleetView {
    private final Snapshot before;
    private final Stamp stamp;
    private final Map<DocumentKey, Optional<Document>> after = new TreeMap<>();
    private final Map<DocumentKey, Set<Verb>> verbs = new TreeMap<>();
    private final Set<DocumentKey> collisions = new TreeSet<>();
    private final Set<String> released = new TreeSet<>();
    private final Powers powers;
    private TypeCatalog types;

    Draft(Snapshot before, Stamp stamp, Powers powers) {
        this.powers = powers;
        this.before = before;
        this.stamp = stamp;
        this.types = before.types();
    }

    Snapshot before() {
        return before;
    }

    Stamp stamp() {
        return stamp;
    }

    /** The revision that the commit will have. */
    long revision() {
        return stamp.revision();
    }

    @Override
    public @Nullable Document document(String type, String id) {
        return find(new DocumentKey(type, id)).orElse(null);
    }

    /** The document as the caller sees it: hidden ones are absent. */
    Optional<Document> seen(DocumentKey key) {
        Optional<Document> changed = after.get(key);
        return changed == null ? before.find(key).filter(powers::sees) : changed;
    }

    /** Notes that something is to be made where there is something that the caller does not see. */
    void collides(DocumentKey key) {
        if (!after.containsKey(key) && before.find(key).isPresent()) {
            collisions.add(key);
        }
    }

    Set<DocumentKey> collisions() {
        return collisions;
    }

    /** Notes that a cluster takes a name under which something may still run. */
    void releases(String name, DocumentKey cluster) {
        released.add(name);
        named(cluster, Verb.PURGE);
    }

    Set<String> released() {
        return released;
    }

    /** What was stored, as far as the caller may know of it. */
    Optional<Document> stored(DocumentKey key) {
        return collisions.contains(key) ? Optional.empty() : before.find(key);
    }

    Optional<Document> find(DocumentKey key) {
        Optional<Document> changed = after.get(key);
        return changed == null ? before.find(key) : changed;
    }

    @Override
    public TypeCatalog types() {
        return types;
    }

    void put(DocumentKey key, Body body, Verb verb) {
        Stamp created = before.find(key).map(Document::created).orElse(stamp);
        after.put(key, Optional.of(Document.of(key, body, created, stamp)));
        named(key, verb);
        if (key.type().equals(Types.TYPE)) {
            types = types.with(RuntimeTypes.definition(body.tree()));
        }
    }

    void remove(DocumentKey key, Verb verb) {
        after.put(key, Optional.empty());
        named(key, verb);
        if (key.type().equals(Types.TYPE)) {
            types = types.without(key.id());
        }
    }

    /** Removes what goes with something else; about that the caller is asked. */
    void removeAlong(DocumentKey key) {
        after.put(key, Optional.empty());
    }

    /** Changes what changes with something else; about that the caller is asked. */
    void putAlong(DocumentKey key, Body body) {
        Stamp created = before.find(key).map(Document::created).orElse(stamp);
        after.put(key, Optional.of(Document.of(key, body, created, stamp)));
    }

    ClusterLife life(String cluster) {
        return ClusterLife.of(document(Types.CLUSTER_LIFE, cluster));
    }

    /** What the change of a cluster's life needs for what Homeport does later. */
    Set<Verb> scheduledVerbs(String cluster) {
        Document stored = before.document(Types.CLUSTER_LIFE, cluster);
        Document document = document(Types.CLUSTER, cluster);
        boolean ends = document != null
                && document.fault().isEmpty()
                && Cluster.of(document).expiresAt() != null;
        return ScheduledActions.ofLife(ClusterLife.ifReadable(stored).orElse(ClusterLife.NEWBORN), life(cluster), ends);
    }

    void putLife(String cluster, ClusterLife life, Verb verb) {
        put(ClusterLifeForm.key(cluster), ClusterLifeForm.write(cluster, life), verb);
    }

    private void named(DocumentKey key, Verb verb) {
        verbs.computeIfAbsent(key, k -> EnumSet.noneOf(Verb.class)).add(verb);
    }

    Set<Verb> verbs(DocumentKey key) {
        return verbs.getOrDefault(key, Set.of());
    }

    /** Only what really differs; a request that writes what is there already changes nothing. */
    Map<DocumentKey, Optional<Document>> changes() {
        Map<DocumentKey, Optional<Document>> changed = new TreeMap<>();
        after.forEach((key, document) -> {
            Optional<Document> old = before.find(key);
            boolean same = old.isPresent()
                    && document.isPresent()
                    && old.get().fault().isEmpty()
                    && old.get().body().equals(document.get().body());
            if (!same && !(old.isEmpty() && document.isEmpty())) {
                changed.put(key, document);
            }
        });
        return changed;
    }

    /** The state after, in a form that is quick to resolve against. */
    Overlay view() {
        return new Overlay(before, types, after);
    }
}
