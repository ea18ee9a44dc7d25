package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hidden and absent documents get the same bytes, except for the requested name. */
class HiddenOrAbsentTest extends AdminTest {
    private static final String CLUSTER = "\"cluster_name\":\"n1\",\"cluster_dns\":\"n1.example.com\",\"owner\":\"x1\"";

    private List<TestClient> callers;

    @BeforeAll
    void build() {
        fleet.create("workspaces", "ours", "{\"service_account\":\"sa\"}").expect(201);
        fleet.create("workspaces", "secret", "{}").expect(201);
        fleet.cluster("our-dev", "dev", "{\"workspace\":\"ours\"}");
        fleet.cluster("secret", "dev", "{\"workspace\":\"secret\"}");
        fleet.create(
                        "access-grants",
                        "secret",
                        "{\"subject\":\"person:x1\",\"role\":\"viewer\",\"scope\":{\"workspace\":\"secret\"}}")
                .expect(201);
        fleet.create("freezes", "secret", "{\"reason\":\"x1\",\"scope\":{\"workspace\":\"secret\"}}")
                .expect(201);
        callers = List.of(
                holder("wendy", "workspace-admin", "{\"workspace\":\"ours\"}"),
                holder("val", "viewer", "{\"workspace\":\"ours\"}"),
                holder("cleo", "cluster-admin", "{\"cluster\":\"our-dev\"}"),
                holder("eve", "cluster-admin", "{\"environment\":\"prod\"}"));
    }

    private TestClient holder(String name, String role, String scope) {
        fleet.create(
                        "access-grants",
                        name,
                        "{\"subject\":\"person:" + name + "\",\"role\":\"" + role + "\",\"scope\":" + scope + "}")
                .expect(201);
        return fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"" + name + "\"}"));
    }

    private record Said(int status, String text) {}

    /** What is said when the name in the request is this one, with the name and what differs anyway left out. */
    private static Said said(TestClient client, String method, String path, String body, String name) {
        TestClient.Answer answer = client.send(
                method, path.replace("NAME", name), body.replace("NAME", name), Map.of("Content-Type", type(method)));
        return new Said(
                answer.status(),
                answer.text().replace(name, "NAME").replaceAll("\"request_id\":\"[^\"]*\"", "\"request_id\":\"\""));
    }

    private static String type(String method) {
        return method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    }

    private void alike(String method, String path, String body) {
        for (TestClient client : callers) {
            assertThat(said(client, method, path, body, "secret"))
                    .as("%s %s %s", method, path, body)
                    .isEqualTo(said(client, method, path, body, "absent"));
        }
    }

    @Test
    void whatOneMayDoTellsNothing() {
        List<String> specs = List.of(
                "\"type\":\"access_grant\",\"spec\":{\"subject\":\"person:x1\",\"role\":\"viewer\",\"scope\":{\"cluster\":\"NAME\"}}",
                "\"type\":\"access_grant\",\"spec\":{\"subject\":\"person:x1\",\"role\":\"viewer\",\"scope\":{\"workspace\":\"NAME\"}}",
                "\"type\":\"freeze\",\"spec\":{\"reason\":\"x1\",\"scope\":{\"cluster\":\"NAME\"}}",
                "\"type\":\"freeze\",\"spec\":{\"reason\":\"x1\",\"scope\":{\"workspace\":\"NAME\"}}",
                "\"type\":\"token\",\"spec\":{\"kind\":\"cluster\",\"subject\":\"NAME\",\"hash\":\"" + "0".repeat(64)
                        + "\"}",
                "\"type\":\"cluster\",\"spec\":{" + CLUSTER + ",\"environment\":\"dev\",\"workspace\":\"NAME\"}",
                "\"type\":\"cluster\",\"id\":\"NAME\",\"spec\":{" + CLUSTER
                        + ",\"environment\":\"dev\",\"workspace\":\"other\"}");
        specs.forEach(spec -> alike("POST", "/api/v2/me:can", "{\"verb\":\"create\"," + spec + "}"));
        for (String type : List.of("cluster", "workspace", "access_grant", "freeze")) {
            for (String verb : List.of("read", "update", "delete", "decommission", "purge")) {
                alike(
                        "POST",
                        "/api/v2/me:can",
                        "{\"verb\":\"" + verb + "\",\"type\":\"" + type + "\",\"id\":\"NAME\"}");
            }
        }
        alike(
                "POST",
                "/api/v2/me:can",
                "{\"verb\":\"update\",\"type\":\"cluster\",\"id\":\"our-dev\",\"spec\":{" + CLUSTER
                        + ",\"environment\":\"dev\",\"workspace\":\"NAME\"}}");
    }

    @Test
    void whatIsRefusedTellsNothing() {
        for (String plural : List.of("clusters", "workspaces", "access-grants", "freezes", "tokens")) {
            alike("GET", "/api/v2/" + plural + "/NAME", "");
            alike("GET", "/api/v2/" + plural + "/NAME/revisions", "");
            alike("PATCH", "/api/v2/" + plural + "/NAME?dry_run=true", "{\"spec\":{}}");
        }
        for (String verb : List.of("decommission", "undelete", "detach", "purge", "pause", "resume")) {
            alike("POST", "/api/v2/clusters/NAME:" + verb + "?dry_run=true", "");
        }
        alike(
                "POST",
                "/api/v2/access-grants?dry_run=true",
                "{\"id\":\"new\",\"spec\":{\"subject\":\"person:x1\",\"role\":\"viewer\",\"scope\":{\"cluster\":\"NAME\"}}}");
        alike(
                "POST",
                "/api/v2/freezes?dry_run=true",
                "{\"id\":\"new\",\"spec\":{\"reason\":\"x1\",\"scope\":{\"cluster\":\"NAME\"}}}");
        alike("PATCH", "/api/v2/clusters/our-dev?dry_run=true", "{\"spec\":{\"workspace\":\"NAME\"}}");
        alike(
                "POST",
                "/api/v2/changes?dry_run=true",
                "{\"operations\":[{\"op\":\"delete\",\"type\":\"cluster\",\"id\":\"NAME\"}]}");
    }
}
