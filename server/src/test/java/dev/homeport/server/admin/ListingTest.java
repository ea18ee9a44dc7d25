package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lists: pages, label selectors, filters, counts and facets. */
class ListingTest extends AdminTest {
    private long past;

    @BeforeAll
    void build() {
        fleet.component("grafana");
        fleet.create("workspaces", "shop", "{}").expect(201);
        fleet.cluster("l-1", "dev", "{\"labels\":{\"region\":\"eu\",\"example.com/team\":\"x\"},\"node_count\":3}");
        fleet.cluster("l-2", "prod", "{\"labels\":{\"region\":\"us\"},\"workspace\":\"shop\",\"node_count\":12}");
        fleet.cluster("l-3", "prod", "{\"labels\":{\"region\":\"eu\"},\"owner\":\"Team Zed\"}");
        fleet.cluster(
                "l-4", "qa", "{\"platform_components\":[{\"id\":\"grafana\"}],\"kubernetes_version\":\"1.34.2\"}");
        past = fleet.revision();
        fleet.create("namespaces", "later", "{}").expect(201);
    }

    private JsonNode list(String query) {
        return fleet.admin.get("/api/v2/clusters?" + query).expect(200).json();
    }

    private static String ids(JsonNode list) {
        return String.join(
                " ",
                list.path("items")
                        .valueStream()
                        .map(item -> item.path("id").asString())
                        .toList());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "environment = \"prod\" | l-2 l-3",
                "environment != prod | l-1 l-4",
                "environment = prod AND labels.region = eu | l-3",
                "environment = prod OR labels.region = eu | l-1 l-2 l-3",
                "environment in (\"qa\", dev) | l-1 l-4",
                "NOT environment in (prod) | l-1 l-4",
                "environment = prod AND (workspace = shop OR owner : \"zed\") | l-2 l-3",
                "owner : \"ZED\" | l-3",
                "labels.\"example.com/team\" = x | l-1",
                "labels.region != us | l-1 l-3 l-4",
                "node_count >= 3 AND node_count < 12 | l-1",
                "node_count > 3 | l-2",
                "platform_components : grafana | l-4",
                "platform_components.id = grafana | l-4",
                "kubernetes_version = 1.34.2 | l-4",
                "status.phase = active AND status.protected = true | l-2 l-3",
                "meta.updated_by = \"person:admin\" AND id = l-1 | l-1",
                "id = nowhere | ``",
            })
    void aFilterChooses(String filter, String expected) {
        assertThat(ids(list("filter=" + encoded(filter)))).isEqualTo(expected == null ? "" : expected);
        // The past is searched without indexes, and must agree.
        assertThat(ids(list("as_of=" + past + "&filter=" + encoded(filter))))
                .isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "environment",
                "environment =",
                "= prod",
                "enviroment = prod",
                "environment = prod OR owner = a AND owner = b",
                "(environment = prod",
                "environment = prod)",
                "environment = prod owner = a",
                "environment in ()",
                "environment = \"prod",
                "environment ~ prod",
                "hash = 1 AND",
                "((((((((((((((((((((((((environment = prod))))))))))))))))))))))))",
                "NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT id = a",
                "\uD83D\uDE00"
            })
    void aFilterThatCannotBeReadIsRefusedWithItsPlace(String filter) {
        var refused =
                fleet.admin.get("/api/v2/clusters?filter=" + encoded(filter)).expect(422);
        assertThat(refused.at("/errors/0/pointer").asString()).isEqualTo("/filter");
        assertThat(refused.at("/errors/0/fix").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "region=eu|l-1 l-3",
                "region in (eu,us),!example.com/team|l-2 l-3",
                "!region|l-4",
                "region|l-1 l-2 l-3"
            })
    void aLabelSelectorChooses(String selector, String expected) {
        assertThat(ids(list("label_selector=" + encoded(selector)))).isEqualTo(expected);
    }

    @Test
    void countsAndFacetsAreOfAllMatchesAndNotOfThePage() {
        JsonNode list = list("page_size=1&counts=true&facets=environment,labels.region,workspace,owner&filter="
                + encoded("NOT id = l-4"));
        assertThat(list.path("total").asInt()).isEqualTo(3);
        assertThat(list.path("items").size()).isEqualTo(1);
        assertThat(list.at("/facets/0").toString())
                .isEqualTo("{\"field\":\"environment\",\"missing\":0,\"values\":[{\"count\":2,\"value\":\"prod\"},"
                        + "{\"count\":1,\"value\":\"dev\"}]}");
        assertThat(list.at("/facets/1/values/0").toString()).isEqualTo("{\"count\":2,\"value\":\"eu\"}");
        assertThat(list.at("/facets/2/missing").asInt()).isEqualTo(2);
        assertThat(list.at("/facets/3/values").size()).isEqualTo(2);
        fleet.admin.get("/api/v2/clusters?facets=colour").expect(422);
    }

    @Test
    void pagesHoldWhileOthersWrite() {
        for (int i = 10; i < 30; i++) {
            fleet.create("namespaces", "page-" + i, "{}").expect(201);
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = fleet.admin
                    .get("/api/v2/namespaces?page_size=6" + (token.isEmpty() ? "" : "&page_token=" + token))
                    .expect(200)
                    .json();
            page.path("items").forEach(item -> seen.add(item.path("id").asString()));
            token = page.path("next_page_token").asString("");
            fleet.create("namespaces", "aa-" + seen.size(), "{}").expect(201);
        } while (!token.isEmpty());
        assertThat(seen).filteredOn(id -> id.startsWith("page-")).hasSize(20).doesNotHaveDuplicates();
        assertThat(fleet.admin
                        .get("/api/v2/namespaces?page_size=5000")
                        .expect(200)
                        .at("/items")
                        .size())
                .isGreaterThan(20);
        fleet.admin.get("/api/v2/namespaces?page_size=-1").expect(422);
        fleet.admin.get("/api/v2/namespaces?page_size=many").expect(422);
        fleet.admin.get("/api/v2/namespaces?page_token=%20").expect(422);
        fleet.admin.get("/api/v2/nothings").expect(404);
    }
}
