package dev.homeport.flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.TestFleet;
import dev.homeport.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A type that is added while Homeport runs reaches every cluster with its next poll, template included. */
class AddedTypesTest {
    private static final String TEMPLATE = """
            <<- range $i := inputs.items >>
            ---
            apiVersion: "v1"
            kind: "ConfigMap"
            metadata:
              name: << $i.id | toJson >>
              namespace: "default"
            data:
              cpu: << $i.cpu | toString | toJson >>
            <<- end >>
            """;

    private TestFleet fleet;

    @BeforeEach
    void start(@TempDir Path folder) {
        fleet = TestFleet.sqlite(folder);
        fleet.cluster("one", "dev", "{}");
    }

    @AfterEach
    void stop() {
        fleet.close();
    }

    private static ObjectNode quota(String template) {
        ObjectNode type = StrictJson.read("""
                {"id": "quota", "plural": "quotas",
                 "schema": {"type": "object", "properties": {"cpu": {"type": "integer"}}}}""");
        return template.isEmpty() ? type : type.put("template", template);
    }

    private JsonNode told() {
        Answer answer = TypesAnswer.of(fleet.snapshot(), fleet.document(Types.CLUSTER, "one"));
        byte[] body = Rendering.render((Answer.Served) answer, WireShape.SET).body();
        return StrictJson.read(new String(body, StandardCharsets.UTF_8)).at("/inputs/0");
    }

    private JsonNode told(String plural) {
        for (JsonNode item : told().path("items")) {
            if (item.path("id").asString("").equals(plural)) {
                return item;
            }
        }
        return StrictJson.object();
    }

    @Test
    @Requirement("H1")
    void aTemplateTravelsWithTheTypeAndActsWithoutRights() {
        String before = told().path("digest").stringValue();
        fleet.create(Types.TYPE, "quota", quota(TEMPLATE).toString());
        JsonNode item = told("quotas");
        assertThat(item.path("service_account").asString()).isEqualTo("homeport-other-types");
        assertThat(item.path("template").stringValue())
                .as("the same checks as for types that are built in come first")
                .startsWith("<<- if ne inputs.id \"@cluster-id@\"")
                .contains("ne inputs.type \"quotas\"")
                .endsWith(TEMPLATE);
        assertThat(told().path("items"))
                .extracting(one -> one.path("id").asString())
                .containsExactlyInAnyOrder("namespaces", "platform-components", "quotas", "rolebindings", "witnesses");
        assertThat(told().path("count").intValue()).isEqualTo(5);
        assertThat(told().path("digest").stringValue()).isNotEqualTo(before);
    }

    @Test
    void aTypeWithoutATemplateIsNotNamed() {
        String before = told().path("digest").stringValue();
        fleet.create(Types.TYPE, "quota", quota("").toString());
        assertThat(told("quotas").isEmpty()).isTrue();
        assertThat(told().path("digest").stringValue()).isEqualTo(before);
    }

    @Test
    void aTemplateThatPastesAValueOrMakesNothingIsRefused() {
        for (String wrong : new String[] {
            TEMPLATE.replace("<< $i.id | toJson >>", "<< $i.id >>"),
            TEMPLATE.replace("inputs.items", "inputs.others"),
            TEMPLATE + "x".repeat(20_000),
            TEMPLATE + "<< $i.id | toJson",
            TEMPLATE.replace("default", "d\u0085"),
        }) {
            ProblemException refused = catchThrowableOfType(
                    ProblemException.class,
                    () -> fleet.create(Types.TYPE, "quota", quota(wrong).toString()));
            assertThat(refused).as(wrong).isNotNull();
            assertThat(refused.problem().toString()).contains("/template");
        }
        assertThat(told("quotas").isEmpty()).isTrue();
    }

    @Test
    void templatesThatFluxWouldRefuseTogetherAreRefusedHere() {
        String lengthy = TEMPLATE + ("# " + "x".repeat(98) + "\n").repeat(155);
        ProblemException refused = null;
        int made = 0;
        while (refused == null && made < 100) {
            String name = "quota_" + made;
            ObjectNode type = quota(lengthy).put("id", name).put("plural", "quotas-" + made);
            refused =
                    catchThrowableOfType(ProblemException.class, () -> fleet.create(Types.TYPE, name, type.toString()));
            made += refused == null ? 1 : 0;
        }
        assertThat(refused).isNotNull();
        assertThat(made).isGreaterThan(20);
        assertThat(told().toString().length()).isLessThan(Rendering.MAX_BYTES);
    }
}
