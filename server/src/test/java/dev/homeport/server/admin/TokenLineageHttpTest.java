package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a token inherits, and what ends with it, from outside. */
class TokenLineageHttpTest extends AdminTest {
    @BeforeAll
    void build() {
        fleet.create("workspaces", "payments", "{}").expect(201);
        fleet.cluster("pay-dev", "dev", "{\"workspace\": \"payments\"}");
        fleet.cluster("other-dev", "dev", "{}");
    }

    private TestClient.Answer make(TestClient client, String spec) {
        return client.post("/api/v2/tokens", "{\"spec\":" + spec + "}");
    }

    private TestClient holder(TestClient.Answer made) {
        return fleet.server.admin(made.expect(201).at("/token").stringValue());
    }

    private TestClient.Answer grant(TestClient client, String id, String subject, String role, String scope) {
        String body = "{\"id\":\"" + id + "\",\"spec\":{\"subject\":\"" + subject + "\",\"role\":\"" + role
                + "\",\"scope\":" + scope + "}}";
        return client.post("/api/v2/access-grants", body);
    }

    @Test
    void aClusterAdminDoesNotBecomeAPlatformAdminThroughAServicesName() {
        grant(fleet.admin, "cleo", "person:cleo", "cluster-admin", "{\"cluster\":\"pay-dev\"}")
                .expect(201);
        TestClient cleo = holder(make(fleet.admin, "{\"kind\":\"person\",\"subject\":\"cleo\"}"));
        make(cleo, "{\"kind\":\"service\",\"subject\":\"deployer\"}").expect(403);
        grant(cleo, "planted", "service:deployer", "viewer", "{\"cluster\":\"pay-dev\"}")
                .expect(201);
        TestClient.Answer made = make(cleo, "{\"kind\":\"service\",\"subject\":\"deployer\"}");
        TestClient planted = holder(made);
        assertThat(made.at("/spec/made_by").stringValue()).isEqualTo("person:cleo");
        assertThat(made.at("/spec/parent").stringValue()).startsWith("t");
        assertThat(made.at("/spec/expires_at").stringValue()).isNotEmpty();
        TestClient.Answer granted =
                grant(fleet.admin, "deployer", "service:deployer", "platform-admin", "{\"fleet\":true}");
        assertThat(granted.expect(201).text())
                .contains("token/" + made.at("/id").stringValue())
                .contains("person:cleo");
        JsonNode me = planted.get("/api/v2/me").expect(200).at("/platform_admin");
        assertThat(me.booleanValue()).isFalse();
        planted.get("/api/v2/clusters/other-dev").expect(404);
        planted.get("/api/v2/clusters/pay-dev").expect(200);
        planted.post("/api/v2/workspaces", "{\"id\":\"mine\",\"spec\":{}}").expect(403);
        TestClient honest = holder(make(fleet.admin, "{\"kind\":\"service\",\"subject\":\"deployer\"}"));
        assertThat(honest.get("/api/v2/me").expect(200).at("/platform_admin").booleanValue())
                .isTrue();
    }

    @Test
    void whatATokenMadeEndsWithItAfterAConfirmation() {
        TestClient.Answer made = make(fleet.admin, "{\"kind\":\"person\",\"subject\":\"bob\",\"access\":\"admin\"}");
        TestClient bob = holder(made);
        TestClient.Answer child = make(bob, "{\"kind\":\"service\",\"subject\":\"nightly\",\"access\":\"reader\"}");
        TestClient nightly = holder(child);
        nightly.get("/api/v2/clusters").expect(200);
        String path = "/api/v2/tokens/" + made.at("/id").stringValue();
        TestClient.Answer first = fleet.admin.send("DELETE", path, "", Map.of());
        assertThat(first.expect(409).text())
                .contains("token/" + child.at("/id").stringValue())
                .contains("service:nightly");
        nightly.get("/api/v2/clusters").expect(200);
        fleet.confirmed("DELETE", path, "", Map.of()).expect(200);
        bob.get("/api/v2/clusters").expect(401);
        nightly.get("/api/v2/clusters").expect(401);
        fleet.admin.get("/api/v2/tokens/" + child.at("/id").stringValue()).expect(404);
    }

    @Test
    void aRotationKeepsTheEndAndIsConfirmedWhereOthersDependOnIt() {
        String end = Instant.now().plusSeconds(3600).toString();
        TestClient.Answer made = make(
                fleet.admin,
                "{\"kind\":\"person\",\"subject\":\"rob\",\"access\":\"admin\",\"expires_at\":\"" + end + "\"}");
        TestClient rob = holder(made);
        TestClient.Answer child = make(rob, "{\"kind\":\"service\",\"subject\":\"robs\",\"access\":\"reader\"}");
        Instant stored = Instant.parse(made.at("/spec/expires_at").stringValue());
        assertThat(Instant.parse(child.expect(201).at("/spec/expires_at").stringValue()))
                .isEqualTo(stored);
        String path = "/api/v2/tokens/" + made.at("/id").stringValue() + ":rotate";
        TestClient.Answer first = rob.post(path, "{\"overlap_seconds\":0}");
        assertThat(first.expect(409).header("Homeport-Confirm")).isNotEmpty();
        TestClient.Answer rotated = rob.send(
                "POST",
                path,
                "{\"overlap_seconds\":0}",
                Map.of("Homeport-Confirm", first.header("Homeport-Confirm"), "Content-Type", "application/json"));
        assertThat(Instant.parse(rotated.expect(201).at("/spec/expires_at").stringValue()))
                .isEqualTo(stored);
        holder(child).get("/api/v2/me").expect(401);
        make(holder(rotated), "{\"kind\":\"person\",\"subject\":\"rob\",\"expires_at\":\"2099-01-01T00:00:00Z\"}")
                .expect(422);
    }

    @Test
    void anOperatorDoesNotRevokeAPlatformAdminsToken() {
        grant(fleet.admin, "otto", "person:otto", "operator", "{\"fleet\":true}")
                .expect(201);
        grant(fleet.admin, "anna", "person:anna", "platform-admin", "{\"fleet\":true}")
                .expect(201);
        TestClient otto = holder(make(fleet.admin, "{\"kind\":\"person\",\"subject\":\"otto\"}"));
        for (String spec : new String[] {
            "{\"kind\":\"person\",\"subject\":\"anna\"}", "{\"kind\":\"person\",\"subject\":\"x\",\"access\":\"admin\"}"
        }) {
            String id = make(fleet.admin, spec).expect(201).at("/id").stringValue();
            otto.send("DELETE", "/api/v2/tokens/" + id, "", Map.of()).expect(403);
        }
    }

    @Test
    void theTokensOfAClusterAreNotNamedToWhoeverMayNotMakeAny() {
        grant(fleet.admin, "vera", "person:vera", "viewer", "{\"fleet\":true}").expect(201);
        TestClient vera = holder(make(fleet.admin, "{\"kind\":\"person\",\"subject\":\"vera\"}"));
        make(fleet.admin, "{\"kind\":\"cluster\",\"subject\":\"other-dev\"}").expect(201);
        make(fleet.admin, "{\"kind\":\"cluster\",\"subject\":\"other-dev\"}").expect(201);
        make(vera, "{\"kind\":\"cluster\",\"subject\":\"other-dev\"}").expect(403);
        vera.post("/api/v2/clusters/other-dev:bootstrap", "{\"url\":\"https://homeport.example.com\"}")
                .expect(403);
        make(fleet.admin, "{\"kind\":\"cluster\",\"subject\":\"other-dev\"}").expect(409);
        fleet.admin
                .post("/api/v2/clusters/other-dev:bootstrap", "{\"url\":\"https://homeport.example.com\"}")
                .expect(409);
    }

    @Test
    void aRevokedTokenDoesNotComeBackFromAnExport() {
        TestClient.Answer made = make(
                fleet.admin, "{\"kind\":\"service\",\"subject\":\"exported\",\"access\":\"reader\",\"label\":\"x\"}");
        String id = made.expect(201).at("/id").stringValue();
        JsonNode spec = null;
        for (JsonNode document :
                fleet.admin.get("/api/v2/export?tokens=true").expect(200).at("/documents")) {
            if (document.path("id").stringValue("").equals(id)) {
                spec = document.path("spec");
            }
        }
        String export = "{\"homeport_export\":1,\"documents\":[{\"type\":\"token\",\"id\":\"" + id + "\",\"spec\":"
                + spec + "}]}";
        assertThat(fleet.admin
                        .post("/api/v2/import", export)
                        .expect(200)
                        .at("/unchanged")
                        .booleanValue())
                .isTrue();
        fleet.admin.post("/api/v2/import", export.replace("reader", "admin")).expect(409);
        fleet.admin.send("DELETE", "/api/v2/tokens/" + id, "", Map.of()).expect(200);
        fleet.admin.post("/api/v2/import", export).expect(409);
        holder(made).get("/api/v2/me").expect(401);
    }
}
