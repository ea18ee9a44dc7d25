package dev.homeport.server.hostile;

import dev.homeport.json.StrictJson;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A good document of each type, in which every field has one possible type, so that another is always wrong. */
final class Specs {
    private static final String LAYER = "\"namespaces\":[{\"id\":\"base\"}],\"description\":\"d\",\"owner\":\"team-a\"";

    private static final Map<String, String> BY_TYPE = Map.ofEntries(
            Map.entry("cluster", """
                    {"cluster_name":"NAME","cluster_dns":"NAME.example.com","environment":"dev","owner":"team-a",
                     "labels":{"tier":"gold"},"namespaces":[{"id":"base"}],
                     "platform_components":[{"id":"base","enabled":true,"oci_tag":"v1.0.1"}]}"""),
            Map.entry("platform_component", """
                    {"component_path":"apps/NAME/1.0.0","component_version":"1.0.0","kind":"helm","depends_on":["base"],
                     "oci_url":"oci://registry.example.com/platform/NAME","oci_tag":"v1.0.0","owner":"team-a"}"""),
            Map.entry(
                    "namespace",
                    "{\"labels\":{\"a\":\"b\"},\"annotations\":{\"note\":\"x\"},\"stateful\":false,\"owner\":\"team-a\"}"),
            Map.entry(
                    "rolebinding",
                    "{\"role\":\"view\",\"subjects\":[{\"kind\":\"Group\",\"name\":\"ops\"}],\"owner\":\"team-a\"}"),
            Map.entry("environment", "{\"order\":ORDER," + LAYER + "}"),
            Map.entry("workspace", "{\"service_account\":\"deployer\"," + LAYER + "}"),
            Map.entry("cluster_template", "{" + LAYER + "}"),
            Map.entry("freeze", "{\"scope\":{\"workspace\":\"nobodys\"},\"reason\":\"holidays\",\"owner\":\"team-a\"}"),
            Map.entry("probe", """
                    {"title":"t","object":{"api_version":"v1","kind":"ConfigMap","name":"NAME","namespace":"default"},
                     "expression":"data.size() > 0","scope":{"environment":"dev"},"owner":"team-a"}"""),
            Map.entry("settings", "{\"freshness_ms\":3000,\"description\":\"d\"}"),
            Map.entry(
                    "access_role",
                    "{\"permissions\":[{\"verbs\":[\"read\"],\"types\":[\"cluster\"]}],\"description\":\"d\"}"),
            Map.entry(
                    "access_grant",
                    "{\"subject\":\"person:alice\",\"role\":\"looker\",\"scope\":{\"environment\":\"dev\"},\"reason\":\"r\"}"),
            Map.entry("type", """
                    {"plural":"NAME-things","description":"d","schema":{"type":"object","additionalProperties":false,
                     "properties":{"size":{"type":"integer"}}}}"""),
            Map.entry("widget", "{\"size\":3}"));

    private static int order = 1000;

    private Specs() {}

    /** Fails for an unknown type. */
    static ObjectNode of(String type, String id) {
        String text = BY_TYPE.get(type);
        if (text == null) {
            throw new AssertionError("there is no good document of the type " + type + " here");
        }
        return StrictJson.read(text.replace("NAME", id).replace("ORDER", Integer.toString(order++)));
    }
}
