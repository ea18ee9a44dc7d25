package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** People, pipelines and teams with what is granted to them, from outside. */
class RolesTest extends AdminTest {
    private TestClient wendy;
    private TestClient cleo;
    private TestClient otto;

    @BeforeAll
    void build() {
        fleet.component("shop", "{\"target_namespace\": \"pay\"}");
        fleet.component("mesh", "{\"cluster_scoped\": true}");
        fleet.create("namespaces", "pay", "{}").expect(201);
        fleet.create(
                        "workspaces",
                        "payments",
                        "{\"service_account\": \"payments\", \"namespaces\": [{\"id\": \"pay\"}]}")
                .expect(201);
        fleet.create("workspaces", "bare", "{}").expect(201);
        fleet.create("workspaces", "hidden-ws", "{}").expect(201);
        fleet.cluster("pay-dev", "dev", "{\"workspace\": \"payments\", \"labels\": {\"team\": \"pay\"}}");
        fleet.cluster("pay-qa", "qa", "{\"workspace\": \"payments\", \"labels\": {\"team\": \"pay\"}}");
        fleet.cluster("bare-dev", "dev", "{\"workspace\": \"bare\"}");
        fleet.cluster("hidden-dev", "dev", "{\"workspace\": \"hidden-ws\", \"labels\": {\"team\": \"hidden-team\"}}");
        wendy = holder("person", "wendy", "workspace-admin", "{\"workspace\": \"payments\"}", "");
        cleo = holder("person", "cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}", "");
        otto = holder("person", "otto", "operator", "{\"fleet\": true}", "");
    }

    private TestClient holder(String kind, String name, String role, String scope, String more) {
        grant(name + "-" + role, kind + ":" + name, role, scope, more).expect(201);
        return fleet.server.admin(fleet.token("{\"kind\":\"" + kind + "\",\"subject\":\"" + name + "\"}"));
    }

    private TestClient.Answer grant(String id, String subject, String role, String scope, String more) {
        return fleet.create(
                "access-grants",
                id,
                "{\"subject\":\"" + subject + "\",\"role\":\"" + role + "\",\"scope\":" + scope + more + "}");
    }

    private static TestClient.Answer patch(TestClient client, String path, String spec) {
        return client.patch(path, "{\"spec\":" + spec + "}");
    }

    @Test
    @Requirement("E7")
    void templatesAreNotTheOperators() {
        fleet.create("cluster-templates", "base", "{}").expect(201);
        otto.get("/api/v2/cluster-templates/base").expect(200);
        patch(otto, "/api/v2/cluster-templates/base", "{\"description\":\"mine\"}")
                .expect(403);
        otto.post("/api/v2/cluster-templates", "{\"id\":\"own\",\"spec\":{}}").expect(403);
        otto.delete("/api/v2/cluster-templates/base", "*").expect(403);
        patch(otto, "/api/v2/clusters/pay-qa", "{\"description\":\"by an operator\"}")
                .expect(200);
        patch(otto, "/api/v2/platform-components/shop", "{\"oci_tag\":\"v1.0.1\"}")
                .expect(200);
        patch(otto, "/api/v2/platform-components/shop", "{\"oci_url\":\"oci://elsewhere.example.com/x\"}")
                .expect(403);
    }

    @Test
    @Requirement("E9")
    void aWorkspaceAdminStaysInTheWorkspaceAndAClusterAdminOnTheCluster() {
        patch(wendy, "/api/v2/workspaces/payments", "{\"platform_components\":[{\"id\":\"shop\"}]}")
                .expect(200);
        var whole = patch(wendy, "/api/v2/clusters/pay-dev", "{\"platform_components\":[{\"id\":\"mesh\"}]}")
                .expect(403);
        assertThat(whole.text()).contains("concern a whole cluster").contains("cluster-admin");
        patch(wendy, "/api/v2/clusters/pay-dev", "{\"namespaces\":[{\"id\":\"kube-public\"}]}")
                .expect(403);
        patch(wendy, "/api/v2/clusters/hidden-dev", "{\"description\":\"x\"}").expect(404);
        patch(wendy, "/api/v2/workspaces/hidden-ws", "{\"description\":\"x\"}").expect(404);
        patch(wendy, "/api/v2/clusters/pay-dev", "{\"workspace\":\"hidden-ws\"}")
                .expect(403);
        patch(cleo, "/api/v2/clusters/pay-dev", "{\"platform_components\":[{\"id\":\"mesh\"}]}")
                .expect(200);
        patch(cleo, "/api/v2/clusters/pay-qa", "{\"platform_components\":[{\"id\":\"mesh\"}]}")
                .expect(404);
        patch(cleo, "/api/v2/workspaces/payments", "{\"description\":\"x\"}").expect(404);
    }

    @Test
    @Requirement(value = "E10", part = "Homeport gives and asks for the account; no policy on the cluster is tried")
    void whatAWorkspaceDeliversRunsUnderItsServiceAccount() {
        fleet.component("cart", "{\"target_namespace\": \"pay\"}");
        fleet.component("agent", "{\"tenants_may\": \"patch\"}");
        fleet.create("cluster-templates", "with-agent", "{\"platform_components\":[{\"id\":\"agent\"}]}")
                .expect(201);
        fleet.cluster("pay-e10", "dev", "{\"workspace\": \"payments\", \"template\": \"with-agent\"}");
        assertThat(fleet.polled("pay-e10", "platform-components")).contains("agent");
        assertThat(fleet.input("pay-e10", "platform-components", "agent").has("service_account"))
                .isFalse();
        patch(wendy, "/api/v2/clusters/pay-e10", "{\"platform_components\":[{\"id\":\"cart\"}]}")
                .expect(200);
        assertThat(fleet.input("pay-e10", "platform-components", "cart")
                        .path("service_account")
                        .asString(""))
                .isEqualTo("payments");
        // A caller who may change what the platform delivers takes it over, with its account.
        patch(wendy, "/api/v2/clusters/pay-e10", "{\"patches\":{\"agent\":{\"replicas\":2}}}")
                .expect(200);
        assertThat(fleet.input("pay-e10", "platform-components", "agent")
                        .path("service_account")
                        .asString(""))
                .isEqualTo("payments");
        // Without an account there is nothing that it could be delivered under.
        TestClient bob = holder("person", "bob", "workspace-admin", "{\"workspace\": \"bare\"}", "");
        assertThat(patch(bob, "/api/v2/clusters/bare-dev", "{\"platform_components\":[{\"id\":\"agent\"}]}")
                        .expect(403)
                        .text())
                .contains("no service_account");
        patch(wendy, "/api/v2/workspaces/payments", "{\"service_account\":\"root\"}")
                .expect(403);
    }

    @Test
    @Requirement(value = "F2", part = "a cluster; nothing says which workspace a tenant belongs to")
    void aClusterIsInOneWorkspace() {
        fleet.create(
                        "clusters",
                        "twice",
                        Fleet.clusterSpec("twice", "dev", "{\"workspace\": [\"payments\", \"bare\"]}"))
                .expect(422);
        patch(fleet.admin, "/api/v2/clusters/pay-qa", "{\"workspaces\":[\"bare\"]}")
                .expect(422);
        fleet.cluster("mover", "dev", "{\"workspace\": \"payments\"}");
        fleet.patch("/api/v2/clusters/mover", "{\"workspace\":\"bare\"}").expect(200);
        wendy.get("/api/v2/clusters/mover").expect(404);
        assertThat(wendy.get("/api/v2/clusters?page_size=1000").expect(200).text())
                .doesNotContain("\"mover\"");
    }

    @Test
    void aPipelineSetsDevAlone() {
        TestClient ci =
                holder("service", "ci", "service", "{\"workspace\": \"payments\"}", ",\"environments\":[\"dev\"]");
        patch(ci, "/api/v2/clusters/pay-dev", "{\"description\":\"by ci\"}").expect(200);
        patch(ci, "/api/v2/clusters/pay-qa", "{\"description\":\"by ci\"}").expect(404);
        patch(ci, "/api/v2/clusters/pay-dev", "{\"environment\":\"qa\"}").expect(403);
        patch(wendy, "/api/v2/workspaces/payments", "{\"platform_components\":[{\"id\":\"shop\"}]}")
                .expect(200);
        patch(
                        ci,
                        "/api/v2/workspaces/payments",
                        "{\"by_environment\":{\"dev\":{\"platform_components\":[{\"id\":\"shop\",\"oci_tag\":\"v2\",\"assign\":false}]}}}")
                .expect(200);
        patch(ci, "/api/v2/workspaces/payments", "{\"by_environment\":{\"qa\":{\"patches\":{\"shop\":{\"a\":1}}}}}")
                .expect(403);
        patch(ci, "/api/v2/workspaces/payments", "{\"patches\":{\"shop\":{\"a\":1}}}")
                .expect(403);
        patch(ci, "/api/v2/platform-components/shop", "{\"oci_tag\":\"v2\"}").expect(403);
        // A selector finds only what the caller sees.
        ci.post(
                        "/api/v2/changes?dry_run=true",
                        "{\"operations\":[{\"op\":\"patch\",\"type\":\"cluster\",\"selector\":{\"label_selector\":\"team=pay\"},"
                                + "\"patch\":{\"description\":\"all of them\"}}]}")
                .expect(200);
        assertThat(ci.get("/api/v2/clusters?counts=true&label_selector=team%3Dpay")
                        .expect(200)
                        .at("/total")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void listsCountsAndFacetsAreOnesOwn() {
        var list = wendy.get("/api/v2/clusters?counts=true&facets=workspace,environment,labels.team")
                .expect(200);
        assertThat(list.text()).doesNotContain("hidden").contains("pay-dev");
        assertThat(list.at("/total").asInt()).isEqualTo(list.at("/items").size());
        for (String path : List.of(
                "/api/v2/clusters/hidden-dev",
                "/api/v2/clusters/hidden-dev/explain",
                "/api/v2/clusters/hidden-dev/diff",
                "/api/v2/clusters/hidden-dev/revisions",
                "/api/v2/clusters/hidden-dev/payload/namespaces",
                "/api/v2/workspaces/hidden-ws")) {
            String absent =
                    wendy.get(path.replace("hidden", "absent")).expect(404).text();
            assertThat(wendy.get(path)
                            .expect(404)
                            .text()
                            .replaceAll("hidden", "absent")
                            .replaceAll("r[a-z0-9]+-[0-9]+", ""))
                    .isEqualTo(absent.replaceAll("r[a-z0-9]+-[0-9]+", ""));
        }
        assertThat(wendy.get("/api/v2/export").expect(200).text())
                .doesNotContain("hidden")
                .contains("pay-dev");
        assertThat(wendy.get("/api/v2/changes?page_size=1000").expect(200).text())
                .doesNotContain("hidden");
        assertThat(wendy.get("/api/v2/changes?format=jsonl&page_size=1000")
                        .expect(200)
                        .text())
                .doesNotContain("hidden")
                .contains("pay-dev");
        assertThat(wendy.get("/api/v2/clusters?as_of=" + fleet.revision())
                        .expect(200)
                        .text())
                .doesNotContain("hidden");
        wendy.get("/metrics").expect(403);
    }

    @Test
    void oneAsksWhatOneMayDo() {
        var me = wendy.get("/api/v2/me").expect(200);
        assertThat(me.at("/actor").asString("")).isEqualTo("person:wendy");
        assertThat(me.at("/roles/0/role").asString("")).isEqualTo("workspace-admin");
        assertThat(me.at("/roles/0/scope").asString("")).isEqualTo("workspace/payments");
        assertThat(can(wendy, "{\"verb\":\"update\",\"type\":\"cluster\",\"id\":\"pay-dev\"}")
                        .at("/allowed")
                        .asBoolean(false))
                .isTrue();
        var no = can(wendy, "{\"verb\":\"hotfix\",\"type\":\"cluster\",\"id\":\"pay-dev\"}");
        assertThat(no.at("/allowed").asBoolean(true)).isFalse();
        assertThat(no.at("/missing_role").asString("")).isEqualTo("operator");
        var template = can(wendy, "{\"verb\":\"create\",\"type\":\"cluster_template\",\"id\":\"x1\",\"spec\":{}}");
        assertThat(template.at("/missing_role").asString("")).isEqualTo("platform-admin");
        wendy.post("/api/v2/me:can", "{\"verb\":\"update\",\"type\":\"cluster\",\"id\":\"hidden-dev\"}")
                .expect(404);
        wendy.post("/api/v2/me:can", "{\"verb\":\"fly\",\"type\":\"cluster\",\"id\":\"pay-dev\"}")
                .expect(422);
    }

    private static TestClient.Answer can(TestClient client, String question) {
        return client.post("/api/v2/me:can", question).expect(200);
    }

    @Test
    void aJoinTokenWorksOnce() {
        fleet.cluster("joiner", "dev", "{}");
        var made = fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"join\",\"subject\":\"joiner\"}}")
                .expect(201);
        TestClient join = fleet.server.admin(made.at("/token").asString(""));
        join.get("/api/v2/clusters").expect(403);
        String path = "/api/v2/flux/clusters/" + Fleet.dns("joiner") + "/namespaces";
        fleet.server.poll(made.at("/token").asString("")).get(path).expect(404);
        var joined = join.post("/api/v2/join", "").expect(201);
        assertThat(joined.at("/cluster").asString("")).isEqualTo("joiner");
        String token = joined.at("/token").asString("");
        fleet.server.poll(token).get(path).expect(200);
        join.post("/api/v2/join", "").expect(403);
        fleet.server.poll(token).get(path).expect(401);
        var shown =
                fleet.admin.get("/api/v2/tokens/" + made.at("/id").asString("")).expect(200);
        assertThat(shown.at("/spec/abused_at").asString("")).isNotEmpty();
        assertThat(fleet.admin.get("/api/v2/changes?page_size=1").text()).contains("join_token_reused");
        assertThat(fleet.admin.get("/api/v2/changes?refused=true").text()).contains("/api/v2/join");
        assertThat(fleet.admin
                        .get("/api/v2/findings?kind=join_token_reused")
                        .expect(200)
                        .at("/items/0/cluster")
                        .asString(""))
                .isEqualTo("joiner");
        fleet.admin.post("/api/v2/join", "").expect(403);
        fleet.admin
                .post(
                        "/api/v2/tokens",
                        "{\"spec\":{\"kind\":\"join\",\"subject\":\"joiner\",\"expires_at\":\"2126-01-01T00:00:00Z\"}}")
                .expect(422);
    }

    @Test
    void theLastAdminCannotBeRevoked() {
        String first = fleet.admin.get("/api/v2/me").expect(200).at("/token").asString("");
        // Other tests' admins would do as well, so only the rule's presence is seen here; the rule itself is core's.
        String other = fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"person\",\"subject\":\"second\",\"access\":\"admin\"}}")
                .expect(201)
                .at("/id")
                .asString("");
        fleet.admin.send("DELETE", "/api/v2/tokens/" + other, "", Map.of()).expect(200);
        fleet.admin.send("DELETE", "/api/v2/tokens/" + first, "", Map.of()).expect(409);
    }

    @Test
    void refusedReadsAreKeptToo() {
        TestClient nobody = fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"nobody-yet\"}"));
        nobody.get("/api/v2/clusters").expect(403);
        assertThat(fleet.admin.get("/api/v2/changes?refused=true").expect(200).text())
                .contains("person:nobody-yet");
        assertThat(wendy.get("/api/v2/changes?refused=true").expect(200).text()).doesNotContain("nobody-yet");
    }
}
