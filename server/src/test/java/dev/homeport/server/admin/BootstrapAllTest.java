package dev.homeport.server.admin;

import static dev.homeport.server.admin.GivenManifests.content;
import static dev.homeport.server.admin.GivenManifests.key;
import static dev.homeport.server.admin.GivenManifests.objects;
import static dev.homeport.server.admin.GivenManifests.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The manifests of many clusters, all or none. */
class BootstrapAllTest extends AdminTest {
    private static final String URL = "\"url\": \"https://homeport.example.com\"";

    private TestClient.Answer bootstrapAll(String clusters, String more) {
        return fleet.admin.post("/api/v2/clusters:bootstrap", "{\"clusters\": [" + clusters + "], " + URL + more + "}");
    }

    @Test
    void manyClustersGetTheirSecretsInOneCommit() {
        fleet.cluster("boot-many-1", "dev", "{}");
        fleet.cluster("boot-many-2", "dev", "{}");
        long before = fleet.revision();
        var planned = fleet.admin
                .post(
                        "/api/v2/clusters:bootstrap?dry_run=true",
                        "{\"clusters\": [\"boot-many-1\", \"boot-many-2\"], " + URL + "}")
                .expect(200);
        assertThat(planned.at("/plan").isObject()).isTrue();
        assertThat(fleet.revision()).isEqualTo(before);
        var answer = bootstrapAll("\"boot-many-2\", \"boot-many-1\"", ", \"format\": \"secrets\"")
                .expect(201);
        assertThat(fleet.revision()).isEqualTo(before + 1);
        assertThat(answer.at("/clusters").size()).isEqualTo(2);
        for (JsonNode one : answer.at("/clusters")) {
            String id = one.path("cluster").stringValue();
            String yaml = one.at("/files/0/content").stringValue();
            assertThat(one.at("/files").size()).isEqualTo(1);
            assertThat(objects(yaml))
                    .allSatisfy(
                            object -> assertThat(object.path("kind").asString()).isEqualTo("Secret"));
            assertThat(fleet.server
                            .poll(token(yaml))
                            .get("/api/v2/flux/clusters/" + Fleet.dns(id) + "/sets/types")
                            .expect(200)
                            .at("/inputs/0/id")
                            .asString())
                    .isEqualTo(id);
            assertThat(token(yaml)).contains(one.path("token_id").stringValue());
            assertThat(key(yaml))
                    .as("the same key as in its other manifests")
                    .isEqualTo(key(content(fleet.admin
                            .post("/api/v2/clusters/" + id + ":bootstrap", "{" + URL + "}")
                            .expect(201))));
        }
        // Two of the three have two tokens each, so none of them gets another.
        fleet.cluster("boot-many-3", "dev", "{}");
        long two = fleet.revision();
        var refused = bootstrapAll("\"boot-many-3\", \"boot-many-1\", \"boot-many-2\"", "")
                .expect(409);
        assertThat(refused.text()).contains("cluster/boot-many-1 and 1 more have two tokens", "replace");
        assertThat(fleet.revision()).isEqualTo(two);
        bootstrapAll("\"boot-many-3\", \"boot-many-1\", \"boot-many-2\"", ", \"replace\": true")
                .expect(201);
    }

    @Test
    void manyClustersAreRefusedTogether() {
        fleet.cluster("boot-all", "dev", "{}");
        fleet.cluster("boot-gone", "dev", "{}");
        fleet.confirmed("POST", "/api/v2/clusters/boot-gone:detach", "", Map.of())
                .expect(200);
        long before = fleet.revision();
        String many = Stream.generate(() -> "\"boot-all\"").limit(1001).collect(Collectors.joining(", "));
        for (Map.Entry<String, String> wrong : Map.of(
                        "",
                        "\"/clusters\"",
                        many,
                        "\"/clusters\"",
                        "\"boot-all\", \"boot-nowhere\"",
                        "\"/clusters/1\"",
                        "\"boot-all\", \"boot-all\"",
                        "\"/clusters/1\"",
                        "\"boot-all\", 7",
                        "\"/clusters/1\"",
                        "\"boot-all\", null",
                        "\"/clusters/1\"")
                .entrySet()) {
            assertThat(bootstrapAll(wrong.getKey(), "").expect(422).text())
                    .as(wrong.getKey())
                    .contains(wrong.getValue());
        }
        assertThat(fleet.admin
                        .post("/api/v2/clusters:bootstrap", "{" + URL + "}")
                        .expect(422)
                        .text())
                .contains("\"/clusters\"");
        assertThat(bootstrapAll("\"boot-all\"", ", \"colour\": \"red\"")
                        .expect(422)
                        .text())
                .contains("\"/colour\"");
        assertThat(bootstrapAll("\"boot-all\", \"boot-gone\"", "").expect(409).text())
                .contains("cluster/boot-gone", "undelete");
        fleet.admin
                .send(
                        "POST",
                        "/api/v2/clusters:bootstrap",
                        "{\"clusters\": [\"boot-all\"], " + URL + "}",
                        Map.of("Idempotency-Key", "k"))
                .expect(422);
        var certificates = bootstrapAll("\"boot-all\"", ", \"client_certificate\": \"homeport-client\"")
                .expect(200);
        assertThat(certificates.at("/clusters/0/token_id").isMissingNode()).isTrue();
        assertThat(fleet.revision()).as("nothing was written").isEqualTo(before);
    }
}
