package dev.homeport.flux;

import java.util.Comparator;
import tools.jackson.databind.JsonNode;

/** Names an object on a cluster. */
record ObjectKey(String apiVersion, String kind, String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER = Comparator.comparing(ObjectKey::kind)
            .thenComparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name)
            .thenComparing(ObjectKey::apiVersion);

    static ObjectKey of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectKey(
                object.path("apiVersion").stringValue(""),
                object.path("kind").stringValue(""),
                metadata.path("namespace").stringValue(""),
                metadata.path("name").stringValue(""));
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }
}
