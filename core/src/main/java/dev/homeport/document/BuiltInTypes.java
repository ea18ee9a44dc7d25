package dev.homeport.document;

import dev.homeport.document.TypeDefinition.Part;
import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The types that Homeport comes with. Their schemas are files beside this class; each is made self-contained when read. */
public final class BuiltInTypes {
    private static final ObjectNode COMMON = resource("common");

    private static final TypeCatalog CATALOG = TypeCatalog.of(List.of(
            type(Types.CLUSTER, "clusters", Part.CLUSTER),
            type(Types.PLATFORM_COMPONENT, "platform-components", Part.ITEM),
            type(Types.NAMESPACE, "namespaces", Part.ITEM),
            type(Types.ROLEBINDING, "rolebindings", Part.ITEM),
            type(Types.WORKSPACE, "workspaces", Part.LAYER),
            type(Types.CLUSTER_TEMPLATE, "cluster-templates", Part.LAYER),
            type(Types.ENVIRONMENT, "environments", Part.LAYER),
            type(Types.TYPE, "types", Part.CONTROL),
            type(Types.SETTINGS, "settings", Part.CONTROL),
            type(Types.FREEZE, "freezes", Part.CONTROL),
            type(Types.TOKEN, "tokens", Part.CONTROL),
            type(Types.PROBE, "probes", Part.CONTROL),
            type(Types.ACCESS_ROLE, "access-roles", Part.CONTROL),
            type(Types.ACCESS_GRANT, "access-grants", Part.CONTROL),
            type(Types.CLUSTER_LIFE, "cluster-life", Part.INTERNAL),
            type(Types.SIGN_OUT, "sign-outs", Part.INTERNAL),
            type(Types.RESERVED_NAME, "reserved-names", Part.INTERNAL),
            type(Types.OBSERVER, "observers", Part.INTERNAL),
            type(Types.REDACTION, "redactions", Part.INTERNAL)));

    private BuiltInTypes() {}

    public static TypeCatalog catalog() {
        return CATALOG;
    }

    /** A shared definition, for types that are made at run time. */
    static ObjectNode shared(String definition) {
        return (ObjectNode) COMMON.path("$defs").path(definition).deepCopy();
    }

    private static TypeDefinition type(String name, String plural, Part part) {
        return new TypeDefinition(name, plural, part, SchemaBundle.of(resource(name), COMMON), Optional.empty());
    }

    private static ObjectNode resource(String name) {
        try (InputStream in = BuiltInTypes.class.getResourceAsStream("schema/" + name + ".json")) {
            if (in == null) {
                throw new IllegalStateException("no schema of " + name);
            }
            return StrictJson.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
