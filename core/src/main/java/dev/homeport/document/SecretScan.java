package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds values that look like secrets in the places where users write what they like. Everything in a document is kept
 * forever and shown to many, so a secret belongs into a Secret of the cluster.
 */
public final class SecretScan {
    private static final String FIX =
            "put the value into a Secret of the cluster and name it in the component's secret_refs; an admin may overrule this"
                    + " with a reason";

    private static final Set<String> FREE =
            Set.of("patches", "values", "labels", "annotations", "links", "description", "reason", "owner", "label");

    private final List<Violation> found = new ArrayList<>();

    private SecretScan() {}

    public static List<Violation> scan(TypeDefinition type, ObjectNode body) {
        SecretScan scan = new SecretScan();
        if (BuiltInTypes.catalog().named(type.name()).isPresent()) {
            scan.findFree(body, "");
        } else {
            scan.visit("", body, "");
        }
        return scan.found;
    }

    /** The other fields of built-in types have grammars, and some name Secrets. */
    private void findFree(JsonNode node, String pointer) {
        int index = 0;
        for (JsonNode element : node.isArray() ? node : List.<JsonNode>of()) {
            findFree(element, Pointer.child(pointer, index++));
        }
        node.forEachEntry((key, value) -> {
            String at = Pointer.child(pointer, key);
            if (FREE.contains(key)) {
                visit(key, value, at);
            } else {
                findFree(value, at);
            }
        });
    }

    private void visit(String key, JsonNode node, String pointer) {
        if (node.isString()) {
            value(key, node.stringValue(), pointer);
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                visit(key, node.path(i), Pointer.child(pointer, i));
            }
        } else if (node.isObject()) {
            String named = node.path("name").asString("");
            node.forEachEntry((child, value) -> {
                SecretPattern.find(child).ifPresent(what -> add(Pointer.child(pointer, child), "the key is " + what));
                // {name: DB_PASSWORD, value: …}, as in the env of a container
                boolean entry = child.equals("value") && !named.isEmpty();
                visit(entry ? named : child, value, Pointer.child(pointer, child));
            });
        }
    }

    private void value(String key, String text, String pointer) {
        SecretPattern.find(text).ifPresentOrElse(what -> add(pointer, "this looks like " + what), () -> {
            if (SecretGuess.isSecret(key, text)) {
                add(pointer, "the key and the value together look like a secret");
            }
        });
    }

    private void add(String pointer, String detail) {
        found.add(new Violation(pointer, detail, FIX));
    }
}
