package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.server.FluxOperatorCli;
import dev.homeport.server.TestClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Role bindings in format 2, in the hands of Flux Operator's own renderer: the same objects, by those who deliver them. */
class BindingsUnderAccountsTest extends AdminTest {
    private static final String LONGEST = "l" + "o".repeat(60) + "ng";

    @TempDir
    Path folder;

    private FluxOperatorCli flux;
    private String token = "";

    /** The sets of types that the root makes of its current answer. */
    private JsonNode set(JsonNode root) {
        return flux.build(root, polled("types")).stream()
                .filter(one -> one.path("kind").asString("").equals("ResourceSet")
                        && one.at("/metadata/name").asString("").equals("homeport-rolebindings"))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode polled(String plural) {
        return fleet.server
                .poll(token)
                .get("/api/v2/flux/clusters/" + Fleet.dns("pay-dev") + "/sets/" + plural)
                .expect(200)
                .at("/inputs");
    }

    private static SortedMap<String, String> withoutOwner(List<JsonNode> objects) {
        SortedMap<String, String> all = new TreeMap<>();
        for (JsonNode one : objects) {
            ObjectNode object = (ObjectNode) one.deepCopy();
            ((ObjectNode) object.at("/metadata/labels"))
                    .remove(List.of(
                            "resourceset.fluxcd.controlplane.io/name", "resourceset.fluxcd.controlplane.io/namespace"));
            assertThat(all.put(object.at("/metadata/name").asString(), CanonicalJson.text(object)))
                    .isNull();
        }
        return all;
    }

    @Test
    void aWorkspacesBindingsAreMadeByItsAccountAndAreTheSameObjects() {
        flux = FluxOperatorCli.in(folder);
        fleet.patch("/api/v2/settings/fleet", "{\"answer_format\": 1}").expect(200);
        String subjects = """
                , "subjects": [{"kind": "User", "name": "jane@example.com"}, {"kind": "Group", "name": "oidc:team"},
                 {"kind": "ServiceAccount", "name": "ci", "namespace": "apps"}]}""";
        fleet.create("namespaces", "pay", "{}").expect(201);
        fleet.create("rolebindings", "pay-edit", "{\"role\": \"edit\", \"namespace\": \"pay\"" + subjects)
                .expect(201);
        fleet.create(
                        "rolebindings",
                        "pay-own",
                        "{\"role\": \"own\", \"role_kind\": \"Role\", \"namespace\": \"pay\"" + subjects)
                .expect(201);
        fleet.create("rolebindings", LONGEST, "{\"role\": \"view\"" + subjects).expect(201);
        fleet.create("cluster-templates", "base", "{\"rolebindings\": [{\"id\": \"" + LONGEST + "\"}]}")
                .expect(201);
        fleet.create(
                        "workspaces",
                        "payments",
                        "{\"service_account\": \"payments\", \"namespaces\": [{\"id\": \"pay\"}]}")
                .expect(201);
        fleet.cluster("pay-dev", "dev", "{\"workspace\": \"payments\", \"template\": \"base\"}");
        fleet.create(
                        "access-grants",
                        "wendy",
                        "{\"subject\": \"person:wendy\", \"role\": \"workspace-admin\", \"scope\": {\"workspace\": \"payments\"}}")
                .expect(201);
        TestClient wendy = fleet.server.admin(fleet.token("{\"kind\": \"person\", \"subject\": \"wendy\"}"));
        wendy.patch(
                        "/api/v2/workspaces/payments",
                        "{\"spec\": {\"rolebindings\": [{\"id\": \"pay-edit\"}, {\"id\": \"pay-own\"}]}}")
                .expect(200);
        List<JsonNode> manifests = FluxOperatorCli.documents(fleet.admin
                .post("/api/v2/clusters/pay-dev:bootstrap", "{\"url\": \"https://homeport.example.com\"}")
                .expect(201)
                .at("/files/0/content")
                .stringValue());
        token = find(manifests, "Secret", "homeport-token")
                .at("/stringData/token")
                .stringValue();
        JsonNode root = find(manifests, "ResourceSet", "homeport-types");
        JsonNode answerBefore = polled("rolebindings");
        List<JsonNode> before = flux.build(set(root), answerBefore);
        assertThat(before).hasSize(3);

        fleet.patch("/api/v2/settings/fleet", "{\"answer_format\": 2}").expect(200);
        JsonNode outer = set(root);
        assertThat(outer.at("/spec/serviceAccountName").asString())
                .as("who makes the sets may not delete the bindings that were there before them")
                .isEqualTo("homeport-platform-components");
        assertThat(find(manifests, "ClusterRole", "homeport-bindings-seen")
                        .at("/rules")
                        .toString())
                .contains("\"verbs\":[\"get\"]")
                .doesNotContain("delete");
        List<JsonNode> sets = flux.build(outer, polled("rolebindings"));
        SortedMap<String, String> accounts = new TreeMap<>();
        SortedMap<String, String> after = new TreeMap<>();
        for (JsonNode inner : sets) {
            assertThat(inner.path("kind").asString()).isEqualTo("ResourceSet");
            String name = inner.at("/metadata/name").asString();
            assertThat(name.length()).isLessThanOrEqualTo(63);
            List<JsonNode> made = flux.build(inner);
            assertThat(made).hasSize(1);
            accounts.put(
                    made.getFirst().at("/metadata/name").asString(),
                    inner.at("/spec/serviceAccountName").asString());
            after.putAll(withoutOwner(made));
        }
        assertThat(after).isEqualTo(withoutOwner(before));
        assertThat(accounts)
                .containsExactly(
                        Map.entry(LONGEST, "homeport-rolebindings"),
                        Map.entry("pay-edit", "payments"),
                        Map.entry("pay-own", "payments"));

        // An answer of another format than the template's makes the sets all the same, of the platform's account.
        assertThat(flux.build(outer, answerBefore)).hasSize(3);
        ObjectNode another =
                StrictJson.read(polled("rolebindings").get(0).toString()).put("id", "another");
        assertThat(flux.tryBuild(outer, StrictJson.object().putArray("inputs").add(another))
                        .error())
                .contains("another cluster");
    }

    private static JsonNode find(List<JsonNode> objects, String kind, String name) {
        return objects.stream()
                .filter(one -> one.path("kind").asString("").equals(kind)
                        && one.at("/metadata/name").asString("").equals(name))
                .findFirst()
                .orElseThrow();
    }
}
