package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Kubernetes objects as trees, with their fields in the order in which people write them. */
final class Manifest {
    static final String OPERATOR = "fluxcd.controlplane.io/v1";
    static final String RBAC = "rbac.authorization.k8s.io";

    private Manifest() {}

    static ObjectNode of(String apiVersion, String kind, String name) {
        ObjectNode object = StrictJson.object().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    static ObjectNode of(String apiVersion, String kind, String name, String namespace) {
        ObjectNode object = of(apiVersion, kind, name);
        metadata(object).put("namespace", namespace);
        return object;
    }

    static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.get("metadata");
    }

    static ObjectNode label(ObjectNode object, String key, String value) {
        metadata(object).withObjectProperty("labels").put(key, value);
        return object;
    }

    static ObjectNode annotate(ObjectNode object, String key, String value) {
        metadata(object).withObjectProperty("annotations").put(key, value);
        return object;
    }

    static ObjectNode texts(Map<String, String> values) {
        ObjectNode tree = StrictJson.object();
        values.forEach(tree::put);
        return tree;
    }
}
