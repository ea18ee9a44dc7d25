package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who may do what, decided on what is stored. */
class AccessTest {
    @TempDir
    Path directory;

    private TestFleet fleet;

    @BeforeEach
    void build() {
        fleet = TestFleet.sqlite(directory);
        fleet.component("shop", "{\"target_namespace\": \"pay\"}");
        fleet.component("elsewhere", "{\"target_namespace\": \"kube-system\"}");
        fleet.component("operator", "{\"cluster_scoped\": true}");
        for (String id : List.of("pay", "kube-system")) {
            fleet.create(Types.NAMESPACE, id, "{}");
        }
        String subjects = "\"subjects\": [{\"kind\": \"Group\", \"name\": \"team\"}]}";
        fleet.create(Types.ROLEBINDING, "in-pay", "{\"role\": \"edit\", \"namespace\": \"pay\", " + subjects);
        fleet.create(Types.ROLEBINDING, "everywhere", "{\"role\": \"view\", " + subjects);
        fleet.create(
                Types.WORKSPACE,
                "payments",
                "{\"service_account\": \"payments\", \"namespaces\": [{\"id\": \"pay\"}]}");
        fleet.create(Types.WORKSPACE, "search", "{}");
        fleet.cluster("pay-dev", "dev", "{\"workspace\": \"payments\"}");
        fleet.cluster("pay-prod", "prod", "{\"workspace\": \"payments\"}");
        fleet.cluster("search-dev", "dev", "{\"workspace\": \"search\"}");
        fleet.cluster("loner", "dev", "{}");
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static Caller person(String name, String... groups) {
        return new Caller(
                new Actor(Actor.Kind.PERSON, name), Caller.Access.GRANTED, Optional.empty(), "", Set.of(groups));
    }

    private static Caller service(String name) {
        return new Caller(new Actor(Actor.Kind.SERVICE, name), Caller.Access.GRANTED, Optional.empty(), "");
    }

    private static Operation grant(String id, String subject, String role, String scope, String more) {
        ObjectNode body = StrictJson.object().put("subject", subject).put("role", role);
        body.set("scope", StrictJson.read(scope));
        body.setAll(StrictJson.read(more));
        return new Operation.Create(new DocumentKey(Types.ACCESS_GRANT, id), body);
    }

    private void granted(String subject, String role, String scope) {
        granted(subject, role, scope, "{}");
    }

    private void granted(String subject, String role, String scope, String more) {
        int number = fleet.snapshot().all(Types.ACCESS_GRANT).size();
        fleet.write(grant("g" + number, subject, role, scope, more));
    }

    private Outcome as(Caller caller, Operation... operations) {
        WriteRequest request = WriteRequest.of(caller, "a test", List.of(operations));
        try {
            return fleet.writer.write(request);
        } catch (ConfirmationRequired e) {
            return fleet.writer.write(request.confirmedBy(e.token()));
        }
    }

    private Powers powers(Caller caller) {
        return Powers.of(fleet.snapshot(), caller, fleet.now);
    }

    private boolean sees(Caller caller, String type, String id) {
        return powers(caller).sees(fleet.document(type, id));
    }

    private static void refused(ErrorCode code, ThrowingCallable write) {
        assertThatThrownBy(write)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().code()).as(e.getMessage()).isEqualTo(code));
    }

    private void forbidden(Caller caller, Operation... operations) {
        refused(ErrorCode.FORBIDDEN, () -> as(caller, operations));
    }

    private void absent(Caller caller, Operation... operations) {
        refused(ErrorCode.NOT_FOUND, () -> as(caller, operations));
    }

    private static Operation label(String cluster) {
        return edit(Types.CLUSTER, cluster, body -> body.put("description", "touched"));
    }

    private static UnaryOperator<ObjectNode> with(String field, String json) {
        JsonNode value = StrictJson.parse(json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return body -> {
            body.set(field, value);
            return body;
        };
    }

    /** A foreign document is refused wherever it is in a batch, however many of the caller's own surround it. */
    @Test
    void everyDocumentOfALargeBatchIsAskedAbout() {
        granted("person:pia", "operator", "{\"workspace\": \"payments\"}");
        granted("person:pia", "viewer", "{\"fleet\": true}");
        Caller pia = person("pia");
        List<Operation> own = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String id = "own-" + (char) ('a' + i / 10) + i % 10;
            fleet.cluster(id, "dev", "{\"workspace\": \"payments\"}");
            own.add(label(id));
        }
        as(pia, own.toArray(Operation[]::new));
        // Documents are gone through by id: one before, one between and one behind the caller's own.
        fleet.cluster("aaa", "dev", "{\"workspace\": \"search\"}");
        fleet.cluster("own-b5x", "dev", "{\"workspace\": \"search\"}");
        long head = fleet.store.head().revision();
        for (String foreign : List.of("aaa", "own-b5x", "search-dev")) {
            for (int at : List.of(0, 15, 30)) {
                List<Operation> batch = new ArrayList<>();
                own.forEach(operation -> batch.add(edit(
                        Types.CLUSTER,
                        operation.key().id(),
                        body -> body.put("description", "again for " + foreign + at))));
                batch.add(at, label(foreign));
                forbidden(pia, batch.toArray(Operation[]::new));
            }
        }
        assertThat(fleet.store.head().revision()).isEqualTo(head);
    }

    @Test
    void whatIsNotGrantedIsRefused() {
        Caller nobody = person("nobody");
        assertThat(powers(nobody).any()).isFalse();
        absent(nobody, label("pay-dev"));
        forbidden(nobody, creation(Types.NAMESPACE, "more", "{}"));
    }

    @Test
    void aScopeIsWhatAGrantReaches() {
        granted("person:fay", "cluster-admin", "{\"fleet\": true}");
        granted("person:eve", "cluster-admin", "{\"environment\": \"dev\"}");
        granted("group:pay team", "workspace-admin", "{\"workspace\": \"payments\"}");
        granted("person:cleo", "cluster-admin", "{\"cluster\": \"pay-prod\"}");
        for (String cluster : List.of("pay-dev", "pay-prod", "search-dev", "loner")) {
            as(person("fay"), label(cluster));
        }
        as(person("eve"), edit(Types.CLUSTER, "loner", body -> body.put("description", "eve")));
        absent(person("eve"), label("pay-prod"));
        as(person("any", "pay team"), edit(Types.CLUSTER, "pay-prod", body -> body.put("description", "any")));
        absent(person("any", "pay team"), label("search-dev"));
        absent(person("any", "pay"), label("pay-dev"));
        absent(person("pay team"), label("pay-dev"));
        as(person("cleo"), edit(Types.CLUSTER, "pay-prod", body -> body.put("description", "cleo")));
        absent(person("cleo"), label("pay-dev"));
    }

    @Test
    void aMoveNeedsRightsOnBothSides() {
        granted("person:one", "cluster-admin", "{\"workspace\": \"payments\"}");
        granted("person:both", "cluster-admin", "{\"workspace\": \"payments\"}");
        granted("person:both", "cluster-admin", "{\"workspace\": \"search\"}");
        Operation move = edit(Types.CLUSTER, "pay-dev", body -> body.put("workspace", "search"));
        Operation back = edit(Types.CLUSTER, "pay-dev", body -> body.put("workspace", "payments"));
        forbidden(person("one"), move);
        forbidden(person("one"), edit(Types.CLUSTER, "pay-dev", body -> body.put("workspace", "no-such")));
        // Rights on the cluster alone are rights in neither workspace, nor in another environment.
        granted("person:cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        forbidden(person("cleo"), move);
        forbidden(person("cleo"), edit(Types.CLUSTER, "pay-dev", body -> body.put("environment", "prod")));
        as(person("both"), move);
        absent(person("one"), back);
        as(person("both"), back);
    }

    @Test
    void aPipelineSetsDevAlone() {
        granted("service:ci", "service", "{\"workspace\": \"payments\"}", "{\"environments\": [\"dev\"]}");
        Caller ci = service("ci");
        as(ci, label("pay-dev"));
        absent(ci, label("pay-prod"));
        absent(ci, label("search-dev"));
        forbidden(ci, edit(Types.CLUSTER, "pay-dev", body -> body.put("environment", "prod")));
        UnaryOperator<ObjectNode> dev = with(
                "by_environment", "{\"dev\": {\"platform_components\": [{\"id\": \"shop\", \"oci_tag\": \"v2\"}]}}");
        as(ci, edit(Types.WORKSPACE, "payments", dev));
        forbidden(ci, edit(Types.WORKSPACE, "payments", with("platform_components", "[{\"id\": \"shop\"}]")));
        forbidden(
                ci,
                edit(
                        Types.WORKSPACE,
                        "payments",
                        with(
                                "by_environment",
                                "{\"dev\": {}, \"prod\": {\"platform_components\": [{\"id\": \"shop\"}]}}")));
        absent(ci, edit(Types.WORKSPACE, "search", dev));
        forbidden(ci, edit(Types.PLATFORM_COMPONENT, "shop", body -> body.put("oci_tag", "v2")));
        forbidden(ci, edit(Types.ENVIRONMENT, "dev", body -> body.put("description", "x")));
        granted("service:tagger", "service", "{\"environment\": \"dev\"}");
        as(
                service("tagger"),
                edit(
                        Types.ENVIRONMENT,
                        "dev",
                        with("platform_components", "[{\"id\": \"shop\", \"oci_tag\": \"v3\", \"assign\": false}]")));
        forbidden(service("tagger"), edit(Types.ENVIRONMENT, "prod", body -> body.put("description", "x")));
        granted("service:reader", "service", "{\"fleet\": true}", "{\"verbs\": [\"read\"], \"types\": [\"cluster\"]}");
        forbidden(service("reader"), edit(Types.CLUSTER, "pay-dev", body -> body.put("description", "reader")));
        absent(service("reader"), edit(Types.WORKSPACE, "payments", dev));
    }

    @Test
    void nobodyGrantsWhatHeDoesNotHold() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        Caller wendy = person("wendy");
        as(wendy, grant("ok", "person:walt", "workspace-admin", "{\"workspace\": \"payments\"}", "{}"));
        as(wendy, grant("less", "service:ci", "service", "{\"cluster\": \"pay-dev\"}", "{}"));
        as(wendy, grant("see", "group:guests", "viewer", "{\"workspace\": \"payments\"}", "{}"));
        forbidden(wendy, grant("more", "person:wendy", "cluster-admin", "{\"workspace\": \"payments\"}", "{}"));
        forbidden(wendy, grant("wide", "person:wendy", "workspace-admin", "{\"fleet\": true}", "{}"));
        forbidden(wendy, grant("other", "person:wendy", "viewer", "{\"workspace\": \"search\"}", "{}"));
        forbidden(wendy, grant("there", "person:wendy", "viewer", "{\"cluster\": \"search-dev\"}", "{}"));
        forbidden(wendy, grant("all", "person:wendy", "platform-admin", "{\"workspace\": \"payments\"}", "{}"));
        forbidden(wendy, edit(Types.ACCESS_GRANT, "ok", with("scope", "{\"workspace\": \"search\"}")));
        forbidden(
                wendy,
                creation(Types.ACCESS_ROLE, "mine", "{\"permissions\": [{\"verbs\": [\"*\"], \"types\": [\"*\"]}]}"),
                grant("mine", "person:wendy", "mine", "{\"workspace\": \"payments\"}", "{}"));
    }

    @Test
    void builtInRolesAreHomeportsOwn() {
        Caller admin = new Caller(new Actor(Actor.Kind.PERSON, "root"), Caller.Access.ADMIN, Optional.empty(), "");
        forbidden(admin, delete(Types.ACCESS_ROLE, "viewer"));
        forbidden(admin, edit(Types.ACCESS_ROLE, "viewer", body -> body.put("cluster_scoped", true)));
        as(
                admin,
                creation(
                        Types.ACCESS_ROLE,
                        "tagger",
                        "{\"permissions\": [{\"verbs\": [\"read\", \"update\"], \"types\": [\"cluster\"]}]}"));
    }

    @Test
    void theLastPlatformAdminStays() {
        String token = "{\"kind\": \"person\", \"subject\": \"NAME\", \"hash\": \"" + "0".repeat(64) + "\"}";
        fleet.create(
                Types.TOKEN,
                "t1",
                token.replace("}", ", \"access\": \"admin\"}").replace("NAME", "root"));
        refused(ErrorCode.CONFLICT, () -> fleet.write(delete(Types.TOKEN, "t1")));
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(edit(Types.TOKEN, "t1", body -> body.put("expires_at", "2030-01-01T00:00:00Z"))));
        refused(ErrorCode.CONFLICT, () -> fleet.write(edit(Types.TOKEN, "t1", body -> body.put("revoked", true))));
        // A grant counts as access only for a person who has a token that does not expire.
        granted("person:amy", "platform-admin", "{\"fleet\": true}");
        refused(ErrorCode.CONFLICT, () -> fleet.write(delete(Types.TOKEN, "t1")));
        fleet.create(
                Types.TOKEN,
                "t2",
                token.replace("}", ", \"expires_at\": \"2030-01-01T00:00:00Z\"}")
                        .replace("NAME", "amy"));
        refused(ErrorCode.CONFLICT, () -> fleet.write(delete(Types.TOKEN, "t1")));
        Outcome.Committed made = (Outcome.Committed) fleet.create(Types.TOKEN, "t3", token.replace("NAME", "amy"));
        fleet.write(delete(Types.TOKEN, "t1"));
        refused(ErrorCode.CONFLICT, () -> fleet.write(delete(Types.ACCESS_GRANT, "g0")));
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(edit(Types.ACCESS_GRANT, "g0", body -> body.put("role", "viewer"))));
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(label("pay-dev"), delete(Types.TOKEN, "t3"), delete(Types.ACCESS_GRANT, "g0")));
        refused(
                ErrorCode.CONFLICT,
                () -> fleet.write(
                        Undoing.commit(fleet.store, made.commit().revision()).toArray(Operation[]::new)));
        fleet.write(delete(Types.TOKEN, "t2"));
    }

    /** A caller who may change these could lift the limits of others. */
    @Test
    void limitsAndWhatIsTrustedAreThePlatforms() {
        granted("person:otto", "operator", "{\"fleet\": true}");
        Caller otto = person("otto");
        fleet.component("signed", "{\"verify\": {\"provider\": \"cosign\", \"secret\": \"keys\"}}");
        forbidden(otto, edit(Types.PLATFORM_COMPONENT, "signed", body -> body.without("verify")));
        forbidden(
                otto, edit(Types.WORKSPACE, "payments", body -> body.put("service_account", "homeport-rolebindings")));
        forbidden(otto, edit(Types.WORKSPACE, "payments", body -> body.without("service_account")));
        forbidden(otto, edit(Types.ENVIRONMENT, "prod", body -> body.put("order", 1)));
        as(otto, edit(Types.ENVIRONMENT, "prod", body -> body.put("description", "Words.")));
        fleet.create(
                Types.ACCESS_ROLE,
                "tidy",
                "{\"permissions\": [{\"verbs\": [\"read\", \"delete\"], \"types\": [\"settings\"]}]}");
        granted("person:tidy", "tidy", "{\"fleet\": true}");
        forbidden(person("tidy"), delete(Types.SETTINGS, "fleet"));
    }

    @Test
    void whoMayPurgeAClusterEndsItsTokensWithIt() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        Caller wendy = person("wendy");
        fleet.create(
                Types.TOKEN,
                "tpaydev01",
                "{\"kind\": \"cluster\", \"subject\": \"pay-dev\", \"hash\": \"" + "0".repeat(64) + "\"}");
        as(wendy, new Operation.Decommission("pay-dev", Optional.empty()));
        as(wendy, new Operation.Purge("pay-dev", true));
        assertThat(fleet.document(Types.TOKEN, "tpaydev01")
                        .tree()
                        .path("revoked")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void someFieldsAreThePlatforms() {
        granted("person:otto", "operator", "{\"fleet\": true}");
        Caller otto = person("otto");
        as(otto, edit(Types.PLATFORM_COMPONENT, "shop", body -> body.put("oci_tag", "v2")));
        forbidden(
                otto, edit(Types.PLATFORM_COMPONENT, "shop", body -> body.put("oci_url", "oci://evil.example.com/x")));
        forbidden(otto, edit(Types.PLATFORM_COMPONENT, "operator", body -> body.without("cluster_scoped")));
        forbidden(otto, edit(Types.CLUSTER, "pay-dev", body -> body.put("input_limit", 5)));
        forbidden(otto, edit(Types.SETTINGS, "fleet", body -> {
            body.putObject("guards").put("max_clusters_losing", 1000);
            return body;
        }));
        String subjects = "\"subjects\": [{\"kind\": \"Group\", \"name\": \"team\"}]}";
        Operation binding =
                creation(Types.ROLEBINDING, "new", "{\"role\": \"view\", \"namespace\": \"pay\", " + subjects);
        forbidden(otto, binding);
        fleet.settings("{\"role_allow_list\": [\"view\"]}");
        as(otto, binding);
        forbidden(otto, edit(Types.ROLEBINDING, "new", body -> body.put("role", "cluster-admin")));
        forbidden(otto, edit(Types.ROLEBINDING, "in-pay", body -> body.put("namespace", "kube-system")));
        // Templates are the engineers'.
        fleet.create(Types.CLUSTER_TEMPLATE, "base", "{}");
        forbidden(otto, edit(Types.CLUSTER_TEMPLATE, "base", body -> body.put("description", "mine")));
        forbidden(otto, creation(Types.CLUSTER_TEMPLATE, "other", "{}"));
    }

    @Test
    void aWorkspaceAdminStaysInTheWorkspace() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        granted("person:sue", "workspace-admin", "{\"workspace\": \"search\"}");
        granted("person:cleo", "cluster-admin", "{\"cluster\": \"pay-dev\"}");
        Caller wendy = person("wendy");
        as(wendy, edit(Types.WORKSPACE, "payments", with("platform_components", "[{\"id\": \"shop\"}]")));
        as(wendy, edit(Types.WORKSPACE, "payments", with("rolebindings", "[{\"id\": \"in-pay\"}]")));
        as(wendy, edit(Types.CLUSTER, "pay-dev", with("patches", "{\"shop\": {\"replicas\": 2}}")));
        for (String breach : List.of(
                "{\"platform_components\": [{\"id\": \"operator\"}]}",
                "{\"platform_components\": [{\"id\": \"operator\", \"remove\": true}]}",
                "{\"platform_components\": [{\"id\": \"elsewhere\"}]}",
                "{\"patches\": {\"operator\": {\"replicas\": 2}}}",
                "{\"namespaces\": [{\"id\": \"kube-system\"}]}",
                "{\"rolebindings\": [{\"id\": \"everywhere\"}]}")) {
            ObjectNode layer = StrictJson.read(breach);
            Operation on = edit(Types.CLUSTER, "pay-dev", body -> {
                body.setAll(layer);
                return body;
            });
            assertThatThrownBy(() -> as(wendy, on)).hasMessageContaining("only within a workspace");
            forbidden(wendy, edit(Types.WORKSPACE, "payments", body -> {
                body.putObject("by_environment").set("dev", layer);
                return body;
            }));
        }
        forbidden(wendy, edit(Types.WORKSPACE, "payments", body -> body.put("service_account", "root")));
        forbidden(
                wendy,
                edit(
                        Types.WORKSPACE,
                        "payments",
                        with("namespaces", "[{\"id\": \"pay\"}, {\"id\": \"kube-system\"}]")));
        assertThatThrownBy(() -> as(
                        person("sue"),
                        edit(Types.CLUSTER, "search-dev", with("platform_components", "[{\"id\": \"shop\"}]"))))
                .hasMessageContaining("no service_account");
        as(person("cleo"), edit(Types.CLUSTER, "pay-dev", with("platform_components", "[{\"id\": \"operator\"}]")));
        // What a cluster admin delivered there is not for the workspace's admin to undo.
        forbidden(wendy, edit(Types.CLUSTER, "pay-dev", with("platform_components", "[]")));
    }

    @Test
    void whatATemplateOrAnEnvironmentAssignsIsThePlatforms() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        granted("service:promoter", "service", "{\"fleet\": true}");
        Caller wendy = person("wendy");
        fleet.component("closed");
        fleet.component("by-tier");
        fleet.component("open", "{\"tenants_may\": \"patch\"}");
        fleet.component("free", "{\"tenants_may\": \"remove\"}");
        fleet.create(
                Types.CLUSTER_TEMPLATE,
                "web",
                "{\"platform_components\": [{\"id\": \"closed\"}, {\"id\": \"open\"}, {\"id\": \"free\"}],"
                        + " \"rolebindings\": [{\"id\": \"in-pay\"}]}");
        fleet.write(edit(Types.ENVIRONMENT, "prod", with("platform_components", "[{\"id\": \"by-tier\"}]")));
        fleet.cluster("web", "dev", "{\"workspace\": \"payments\", \"template\": \"web\"}");
        granted("service:ci", "service", "{\"cluster\": \"web\"}");
        List<String> patches = List.of(
                "{\"patches\": {\"ID\": {\"enabled\": false}}}",
                "{\"platform_components\": [{\"id\": \"ID\", \"oci_tag\": \"v9\"}]}",
                "{\"patches_removed\": {\"ID\": [\"replicas\"]}}");
        List<String> removals = List.of(
                "{\"platform_components\": [{\"id\": \"ID\", \"remove\": true}]}",
                "{\"platform_components\": [{\"id\": \"ID\", \"enabled\": false}]}");
        for (Caller tenant : List.of(wendy, service("ci"))) {
            patches.forEach(patch -> forbidden(tenant, layer("web", patch, "closed")));
            removals.forEach(removal -> forbidden(tenant, layer("web", removal, "closed")));
            removals.forEach(removal -> forbidden(tenant, layer("web", removal, "open")));
            patches.forEach(patch -> planned(tenant, layer("web", patch, "open")));
            patches.forEach(patch -> planned(tenant, layer("web", patch, "free")));
            removals.forEach(removal -> planned(tenant, layer("web", removal, "free")));
        }
        // The platform's own pipelines pin what it assigned.
        planned(service("promoter"), layer("web", patches.get(1), "closed"));
        // Nor by way of the workspace, before there is a cluster with such a template in it or after.
        for (String step : List.of("before", "after")) {
            UnaryOperator<ObjectNode> patch = with("patches", "{\"closed\": {\"step\": \"" + step + "\"}}");
            forbidden(wendy, edit(Types.WORKSPACE, "payments", patch));
            forbidden(wendy, edit(Types.WORKSPACE, "payments", with("platform_components", "[{\"id\": \"closed\"}]")));
            fleet.confirm(edit(Types.CLUSTER, "web", body -> body.without("workspace")));
        }
        forbidden(
                wendy,
                edit(Types.WORKSPACE, "payments", with("rolebindings", "[{\"id\": \"in-pay\", \"remove\": true}]")));
        // What the workspace assigned itself is its own, also where templates of others assign it.
        as(wendy, edit(Types.WORKSPACE, "payments", with("platform_components", "[{\"id\": \"shop\"}]")));
        fleet.create(Types.CLUSTER_TEMPLATE, "others", "{\"platform_components\": [{\"id\": \"shop\"}]}");
        as(wendy, edit(Types.WORKSPACE, "payments", with("patches", "{\"shop\": {\"replicas\": 2}}")));
        as(
                wendy,
                edit(Types.CLUSTER, "pay-dev", with("platform_components", "[{\"id\": \"shop\", \"remove\": true}]")));
        as(wendy, edit(Types.WORKSPACE, "payments", body -> {
            body.putArray("platform_components");
            return body.without("patches");
        }));
        // A patch of what another environment assigns is refused before the cluster moves there, and does not come
        // along.
        Operation waiting = edit(Types.CLUSTER, "pay-dev", with("patches", "{\"by-tier\": {\"replicas\": 2}}"));
        forbidden(wendy, waiting);
        fleet.write(waiting);
        forbidden(wendy, edit(Types.CLUSTER, "pay-dev", body -> body.put("environment", "prod")));
        granted("person:otto", "operator", "{\"fleet\": true}");
        forbidden(person("otto"), edit(Types.PLATFORM_COMPONENT, "closed", body -> body.put("tenants_may", "remove")));
    }

    /** Otherwise a tenant would decide first, and win as soon as the platform assigns the component. */
    @Test
    void whatTheTenantDoesNotAssignIsNeitherPatchedNorOptedOutOfInAdvance() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        granted("person:lea", "workspace-admin", "{\"cluster\": \"loner\"}");
        Caller wendy = person("wendy");
        fleet.component("agent");
        fleet.component("pay-agent", "{\"target_namespace\": \"pay\"}");
        fleet.component("open", "{\"tenants_may\": \"patch\"}");
        fleet.component("free", "{\"tenants_may\": \"remove\"}");
        fleet.create(Types.CLUSTER_TEMPLATE, "web", "{}");
        fleet.write(edit(Types.CLUSTER, "pay-dev", body -> body.put("template", "web")));
        List<String> patches = List.of(
                "{\"patches\": {\"ID\": {\"replicas\": 2}}}",
                "{\"platform_components\": [{\"id\": \"ID\", \"oci_tag\": \"v9\", \"assign\": false}]}",
                "{\"patches_removed\": {\"ID\": [\"replicas\"]}}");
        List<String> removals = List.of(
                "{\"platform_components\": [{\"id\": \"ID\", \"remove\": true}]}",
                "{\"platform_components\": [{\"id\": \"ID\", \"enabled\": false}]}");
        for (String component : List.of("agent", "pay-agent")) {
            for (String json :
                    Stream.concat(patches.stream(), removals.stream()).toList()) {
                forbidden(wendy, layer("pay-dev", json, component));
                if (component.equals("agent")) {
                    forbidden(person("lea"), layer("loner", json, component));
                }
                ObjectNode layer = StrictJson.read(json.replace("ID", component));
                forbidden(wendy, edit(Types.WORKSPACE, "payments", body -> body.setAll(layer)));
                forbidden(wendy, edit(Types.WORKSPACE, "payments", body -> {
                    body.putObject("by_environment").set("dev", layer);
                    return body;
                }));
            }
        }
        forbidden(
                wendy,
                edit(Types.CLUSTER, "pay-dev", with("rolebindings", "[{\"id\": \"in-pay\", \"remove\": true}]")));
        patches.forEach(patch -> planned(wendy, layer("pay-dev", patch, "open")));
        removals.forEach(removal -> forbidden(wendy, layer("pay-dev", removal, "open")));
        removals.forEach(removal -> planned(wendy, layer("pay-dev", removal, "free")));
        // The platform's component arrives as the platform says.
        fleet.write(edit(Types.CLUSTER_TEMPLATE, "web", with("platform_components", "[{\"id\": \"agent\"}]")));
        assertThat(fleet.answer("pay-dev", "platform-components")).isInstanceOf(Answer.Inputs.class);
        removals.forEach(removal -> forbidden(wendy, layer("pay-dev", removal, "agent")));
    }

    @Test
    void whatTheTenantAssignsIsItsOwn() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        Caller wendy = person("wendy");
        String assigned = "\"platform_components\": [{\"id\": \"shop\"}]";
        String patched = "\"patches\": {\"shop\": {\"replicas\": 2}}";
        as(wendy, layer("pay-dev", "{" + assigned + ", " + patched + "}", ""));
        as(wendy, layer("pay-dev", "{\"platform_components\": [{\"id\": \"shop\", \"enabled\": false}]}", ""));
        as(wendy, layer("pay-dev", "{\"patches\": {\"shop\": {\"replicas\": 3}}}", ""));
        // A patch does not stay behind to wait, nor does an assignment become an opt-out of nothing.
        forbidden(wendy, layer("pay-dev", "{\"platform_components\": []}", ""));
        forbidden(wendy, layer("pay-dev", "{\"platform_components\": [{\"id\": \"shop\", \"remove\": true}]}", ""));
        as(wendy, layer("pay-dev", "{\"platform_components\": [], \"patches\": {}}", ""));
        as(wendy, edit(Types.WORKSPACE, "payments", with("by_environment", "{\"dev\": {" + assigned + "}}")));
        as(wendy, layer("pay-dev", "{\"platform_components\": [{\"id\": \"shop\", \"remove\": true}]}", ""));
        forbidden(wendy, layer("pay-prod", "{\"platform_components\": [{\"id\": \"shop\", \"remove\": true}]}", ""));
        forbidden(wendy, layer("pay-prod", "{" + patched + "}", ""));
        as(
                wendy,
                edit(
                        Types.WORKSPACE,
                        "payments",
                        with("by_environment", "{\"dev\": {" + assigned + ", " + patched + "}}")));
        forbidden(wendy, edit(Types.WORKSPACE, "payments", body -> body.setAll(StrictJson.read("{" + patched + "}"))));
    }

    private static Operation layer(String cluster, String json, String component) {
        return edit(Types.CLUSTER, cluster, body -> body.setAll(StrictJson.read(json.replace("ID", component))));
    }

    private void planned(Caller caller, Operation operation) {
        fleet.writer.write(WriteRequest.of(caller, "", List.of(operation)).with(WriteRequest.Flag.DRY_RUN));
    }

    @Test
    void whatIsForeignIsNotNamed() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        Caller wendy = person("wendy");
        assertThat(sees(wendy, Types.CLUSTER, "pay-dev")).isTrue();
        assertThat(sees(wendy, Types.CLUSTER, "search-dev")).isFalse();
        assertThat(sees(wendy, Types.WORKSPACE, "search")).isFalse();
        assertThat(sees(wendy, Types.PLATFORM_COMPONENT, "shop")).isTrue();
        Operation taken = creation(
                Types.CLUSTER,
                "fresh",
                "{\"cluster_name\": \"fresh\", \"cluster_dns\": \"search-dev.k8s.example.com\","
                        + " \"environment\": \"dev\", \"owner\": \"w\", \"workspace\": \"payments\"}");
        assertThatThrownBy(() -> as(wendy, taken)).hasMessageContaining("belongs to another cluster");
        Operation foreign = creation(
                Types.CLUSTER,
                "search-dev",
                "{\"cluster_name\": \"x\", \"cluster_dns\": \"x.example.com\","
                        + " \"environment\": \"dev\", \"owner\": \"w\", \"workspace\": \"payments\"}");
        refused(ErrorCode.ALREADY_EXISTS, () -> as(wendy, foreign));
        forbidden(person("nobody"), foreign);
        // A role that may change the catalog, but sees no cluster outside its workspace.
        fleet.create(
                Types.ACCESS_ROLE,
                "catalog",
                "{\"cluster_scoped\": true, \"permissions\": [{\"verbs\": [\"read\", \"update\"], \"types\": [\"@items\"]}]}");
        granted("person:wendy", "catalog", "{\"fleet\": true}");
        for (String cluster : List.of("pay-dev", "search-dev")) {
            fleet.write(edit(Types.CLUSTER, cluster, with("platform_components", "[{\"id\": \"shop\"}]")));
        }
        Operation change = edit(Types.PLATFORM_COMPONENT, "shop", body -> body.put("oci_tag", "v9"));
        Outcome.Planned planned = (Outcome.Planned)
                fleet.writer.write(WriteRequest.of(wendy, "", List.of(change)).with(WriteRequest.Flag.DRY_RUN));
        assertThat(planned.plan().groups()).hasSize(1);
        assertThat(planned.plan().groups().getFirst().clusters()).containsExactly("pay-dev");
        assertThat(planned.plan().others()).isTrue();
        // Nor what will happen to them when something has run out.
        fleet.create(
                Types.ACCESS_ROLE,
                "tiers",
                "{\"cluster_scoped\": true, \"permissions\": [{\"verbs\": [\"read\", \"update\"], \"types\": [\"environment\"]}]}");
        granted("person:wendy", "tiers", "{\"fleet\": true}");
        Operation dated = edit(
                Types.ENVIRONMENT,
                "dev",
                with(
                        "platform_components",
                        "[{\"id\": \"shop\", \"assign\": false, \"oci_tag\": \"v9\", \"owner\": \"w\", \"reason\": \"r\","
                                + " \"expires_at\": \"2026-06-01T00:00:00Z\"}]"));
        Plan then = ((Outcome.Planned) fleet.writer.write(
                        WriteRequest.of(wendy, "", List.of(dated)).with(WriteRequest.Flag.DRY_RUN)))
                .plan();
        assertThat(then.later()).hasSize(1);
        assertThat(then.later().getFirst().from()).contains(Instant.parse("2026-06-01T00:00:00Z"));
        assertThat(then.later().getFirst().groups())
                .flatExtracting(Plan.Group::clusters)
                .containsExactly("pay-dev");
        assertThatThrownBy(() -> as(wendy, delete(Types.PLATFORM_COMPONENT, "shop")))
                .hasMessageNotContaining("search-dev");
    }

    @Test
    void aGrantEndsWithItsTimeAndWithWhatItWasFor() {
        granted(
                "person:wendy",
                "workspace-admin",
                "{\"workspace\": \"payments\"}",
                "{\"expires_at\": \"2026-01-02T00:00:00Z\"}");
        granted("person:cleo", "viewer", "{\"cluster\": \"loner\"}");
        assertThat(sees(person("wendy"), Types.CLUSTER, "pay-dev")).isTrue();
        assertThat(sees(person("cleo"), Types.CLUSTER, "loner")).isTrue();
        fleet.advance(Duration.ofDays(2));
        assertThat(sees(person("wendy"), Types.CLUSTER, "pay-dev")).isFalse();
        new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
        assertThat(fleet.snapshot().find(new DocumentKey(Types.ACCESS_GRANT, "g0")))
                .isEmpty();
        fleet.contact.polled.clear();
        fleet.confirm(delete(Types.CLUSTER, "loner"));
        fleet.cluster("loner", "dev", "{}");
        assertThat(sees(person("cleo"), Types.CLUSTER, "loner")).isFalse();
    }

    @Test
    void whoeverMakesATokenHoldsWhatItHolds() {
        String hash = ", \"hash\": \"" + "0".repeat(64) + "\"}";
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        granted("service:ci", "service", "{\"workspace\": \"payments\"}");
        granted("service:big", "operator", "{\"fleet\": true}");
        Caller wendy = person("wendy");
        as(wendy, creation(Types.TOKEN, "own", "{\"kind\": \"person\", \"subject\": \"wendy\"" + hash));
        as(wendy, creation(Types.TOKEN, "ci", "{\"kind\": \"service\", \"subject\": \"ci\"" + hash));
        as(wendy, creation(Types.TOKEN, "c1", "{\"kind\": \"cluster\", \"subject\": \"pay-dev\"" + hash));
        for (String other : List.of(
                "{\"kind\": \"person\", \"subject\": \"walt\"",
                "{\"kind\": \"service\", \"subject\": \"big\"",
                "{\"kind\": \"service\", \"subject\": \"unknown\"",
                "{\"kind\": \"service\", \"subject\": \"ci\", \"access\": \"admin\"",
                "{\"kind\": \"person\", \"subject\": \"wendy\", \"access\": \"reader\"",
                "{\"kind\": \"person\", \"subject\": \"wendy\", \"access\": \"admin\"",
                "{\"kind\": \"cluster\", \"subject\": \"search-dev\"")) {
            forbidden(wendy, creation(Types.TOKEN, "more", other + hash));
        }
        fleet.create(Types.TOKEN, "theirs", "{\"kind\": \"cluster\", \"subject\": \"search-dev\"" + hash);
        absent(wendy, delete(Types.TOKEN, "theirs"));
        as(wendy, delete(Types.TOKEN, "ci"));
    }

    @Test
    void onlyOperatorsPassAFreeze() {
        granted("person:wendy", "workspace-admin", "{\"workspace\": \"payments\"}");
        granted("person:otto", "operator", "{\"fleet\": true}");
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"fleet\": true}, \"reason\": \"holidays\"}");
        Operation change = edit(Types.CLUSTER, "pay-dev", with("platform_components", "[{\"id\": \"shop\"}]"));
        refused(ErrorCode.FROZEN, () -> as(person("wendy"), change));
        refused(
                ErrorCode.FORBIDDEN,
                () -> fleet.writer.write(
                        WriteRequest.of(person("wendy"), "now", List.of(change)).with(WriteRequest.Flag.HOTFIX)));
        forbidden(person("wendy"), delete(Types.FREEZE, "xmas"));
        fleet.writer.write(
                WriteRequest.of(person("otto"), "now", List.of(change)).with(WriteRequest.Flag.HOTFIX));
    }
}
