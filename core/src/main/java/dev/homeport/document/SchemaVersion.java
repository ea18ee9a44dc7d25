package dev.homeport.document;

import dev.homeport.json.PackedCursor;
import java.util.Arrays;

/**
 * Which version of its type's schema a document is written in; by default the first. A document from a newer server than this
 * one is not interpreted: everything that depends on it must hold.
 */
public final class SchemaVersion {
    public static final int NEWEST = 1;

    private static final String FIELD = "schema_version";

    private SchemaVersion() {}

    /** The document as this server reads it. */
    public static Document read(Document document) {
        if (document.fault().isPresent()) {
            return document;
        }
        PackedCursor cursor = document.cursor();
        String[] keys = cursor.object();
        int place = Arrays.binarySearch(keys, FIELD);
        if (place < 0) {
            return document;
        }
        for (int i = 0; i < place; i++) {
            cursor.skip();
        }
        long version = cursor.integer();
        return version <= NEWEST
                ? document
                : Document.broken(
                        document.key(),
                        "it is written in version " + version + " of its schema, and this server knows " + NEWEST,
                        document.created(),
                        document.updated());
    }
}
