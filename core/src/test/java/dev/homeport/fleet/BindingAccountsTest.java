package dev.homeport.fleet;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.FleetTest;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From format 2 on a workspace's role bindings carry its account; until a commit says so, nothing is another byte. */
class BindingAccountsTest extends FleetTest {
    private static final String BINDINGS = "rolebindings";
    private static final String SUBJECTS = "\"subjects\": [{\"kind\": \"Group\", \"name\": \"team\"}]";

    @BeforeEach
    void twoClusters() {
        fleet.create(Types.NAMESPACE, "pay", "{}");
        fleet.create(Types.ROLEBINDING, "everywhere", "{\"role\": \"view\", " + SUBJECTS + "}");
        fleet.create(Types.ROLEBINDING, "editors", "{\"role\": \"edit\", \"namespace\": \"pay\", " + SUBJECTS + "}");
        fleet.create(Types.ROLEBINDING, "viewers", "{\"role\": \"view\", \"namespace\": \"pay\", " + SUBJECTS + "}");
        fleet.create(
                Types.CLUSTER_TEMPLATE,
                "base",
                "{\"rolebindings\": [{\"id\": \"everywhere\"}, {\"id\": \"viewers\"}]}");
        fleet.create(Types.WORKSPACE, "payments", """
                {"service_account": "payments", "namespaces": [{"id": "pay"}],
                 "rolebindings": [{"id": "editors"}, {"id": "everywhere"}]}""");
        fleet.cluster("c1", "dev", "{\"workspace\": \"payments\", \"template\": \"base\"}");
        fleet.cluster("c2", "dev", "{\"template\": \"base\", \"namespaces\": [{\"id\": \"pay\"}]}");
    }

    private static Operation format(int number) {
        return edit(Types.SETTINGS, "fleet", body -> body.put("answer_format", number));
    }

    private SortedMap<String, String> accounts(String cluster) {
        SortedMap<String, String> all = new TreeMap<>();
        for (JsonNode item : fleet.json(cluster, BINDINGS, WireShape.SET).at("/inputs/0/items")) {
            all.put(item.path("id").stringValue(), item.path("service_account").stringValue("platform"));
        }
        return all;
    }

    @Test
    void theWorkspacesOwnCarryItsAccountFromFormatTwoOn() {
        fleet.settings("{\"answer_format\": 1}");
        SortedMap<String, String> first = AllAnswers.of(fleet.snapshot()).texts();
        assertThat(first.toString()).doesNotContain("service_account");

        Outcome.Committed raised = committed(format(2));
        assertThat(raised.plan().groups().stream().flatMap(group -> group.clusters().stream()))
                .as("every answer is another one")
                .hasSize(6)
                .containsOnly("c1", "c2");
        assertThat(accounts("c1"))
                .as("what the template alone speaks of is the platform's, and so is what concerns the whole cluster")
                .containsExactly(
                        Map.entry("editors", "payments"),
                        Map.entry("everywhere", "platform"),
                        Map.entry("viewers", "platform"));
        assertThat(accounts("c2").values()).containsOnly("platform");
        assertThat(fleet.json("c1", "namespaces", WireShape.SET).toString()).doesNotContain("service_account");

        fleet.confirm(format(1));
        assertThat(AllAnswers.of(fleet.snapshot()).texts()).isEqualTo(first);
    }

    @Test
    void anotherWordFromTheWorkspaceChangesTheAccountAndNothingElse() {
        fleet.settings("{\"answer_format\": 2}");
        assertThat(accounts("c1")).containsEntry("viewers", "platform");
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.putArray("rolebindings").addObject().put("id", "viewers").put("assign", false);
            return body;
        }));
        assertThat(accounts("c1")).containsEntry("viewers", "payments");
        committed(edit(Types.WORKSPACE, "payments", body -> body.put("service_account", "other")));
        assertThat(accounts("c1")).containsEntry("viewers", "other").containsEntry("editors", "other");
    }

    @Test
    void raisingTheFormatIsAChangeToEveryClusterAndHeldBackByAFreeze() {
        fleet.settings("{\"answer_format\": 1}");
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"cluster\": \"c2\"}, \"reason\": \"holidays\"}");
        assertThat(refused(ErrorCode.FROZEN, () -> fleet.write(format(2)))).hasMessageContaining("cluster/c2");
        committed(edit(Types.SETTINGS, "fleet", body -> {
            body.putArray("role_allow_list").add("view");
            return body;
        }));
    }
}
