package dev.homeport.document;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A type as data.
 *
 * @param name snake_case, singular: the key in the log
 * @param plural kebab-case: the word in paths
 * @param schema JSON Schema 2020-12 of the body, the single definition for validation, OpenAPI and CLI
 * @param template how clusters make objects of the documents, for types added at run time that say so
 */
public record TypeDefinition(String name, String plural, Part part, ObjectNode schema, Optional<String> template) {

    /** What a type is to the fleet. */
    public enum Part {
        /** Served to clusters, one item per document. */
        ITEM,
        /** Holds a layer: what its clusters get. */
        LAYER,
        CLUSTER,
        /** Steers Homeport itself. */
        CONTROL,
        /** Written by Homeport alone; no caller may write it. */
        INTERNAL
    }
}
