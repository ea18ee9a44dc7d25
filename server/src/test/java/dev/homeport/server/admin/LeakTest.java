package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.stream.EventReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Callers with random grants read and try whatever there is: no answer names a cluster or a workspace that is foreign. */
class LeakTest extends AdminTest {
    private static final List<String> ENVIRONMENTS = List.of("dev", "qa", "prod");
    private static final List<String> WORKSPACES = List.of("wsqalpha", "wsqbravo", "wsqcharlie");
    private static final List<String> WHAT = List.of(
            "", "/explain", "/diff", "/revisions", "/payload/platform-components", "/delivery", "count", "change");
    private static final int CALLERS = 25;
    private static final int STREAMS = 5;

    /** Where each cluster is: its workspace and its environment. */
    private final Map<String, List<String>> clusters = new TreeMap<>();

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @BeforeAll
    void build() {
        fleet.component("leaky");
        for (String workspace : WORKSPACES) {
            fleet.create("workspaces", workspace, "{\"service_account\":\"sa\"}")
                    .expect(201);
            for (String environment : ENVIRONMENTS) {
                String id = "clq" + workspace.substring(3, 5) + environment + "x";
                clusters.put(id, List.of(workspace, environment));
                fleet.cluster(
                        id,
                        environment,
                        "{\"workspace\":\"" + workspace + "\",\"labels\":{\"name\":\"" + id
                                + "\"},\"platform_components\":[{\"id\":\"leaky\"}]}");
                fleet.admin
                        .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"" + id + "\"}}")
                        .expect(201);
            }
        }
        // One change of everything, with a reason that names some of it.
        fleet.change("{\"reason\":\"for cluster/clqalprodx and workspace/wsqbravo\",\"operations\":[{\"op\":\"patch\","
                        + "\"type\":\"cluster\",\"selector\":{\"filter\":\"owner=\\\"team-a\\\"\"},"
                        + "\"patch\":{\"description\":\"together\"}}]}")
                .expect(201);
    }

    /** A commit that is partly visible must not reveal, by being found or not, what its hidden part says. */
    @Test
    void wordsAreLookedForOnlyInWhatOneSees() {
        fleet.create(
                        "access-grants",
                        "searcher",
                        "{\"subject\":\"person:searcher\",\"role\":\"viewer\",\"scope\":{\"workspace\":\"wsqalpha\"}}")
                .expect(201);
        TestClient client = fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"searcher\"}"));
        for (String hidden : List.of("clqbrprodx", "clqcha", "wsqbravo", "WSQBRAVO", "bravo")) {
            String path = "/api/v2/changes?text=" + hidden;
            assertThat(fleet.admin.get(path).expect(200).at("/items").isEmpty())
                    .as(hidden)
                    .isEqualTo(hidden.equals("clqcha"));
            assertThat(client.get(path).expect(200).at("/items").isEmpty())
                    .as(hidden)
                    .isTrue();
            assertThat(client.get(path + "&format=jsonl").expect(200).text())
                    .as(hidden)
                    .isEmpty();
        }
        for (String seen : List.of("clqalprodx", "CLQALPRODX", "another workspace", "person:admin")) {
            String path = "/api/v2/changes?text=" + seen.replace(" ", "%20");
            boolean inTheLog = !seen.startsWith("another");
            assertThat(client.get(path).expect(200).at("/items").isEmpty())
                    .as(seen)
                    .isNotEqualTo(inTheLog);
            assertThat(client.get(path + "&format=jsonl").expect(200).text().isEmpty())
                    .as(seen)
                    .isNotEqualTo(inTheLog);
        }
    }

    @Test
    void nothingForeignIsNamed() throws IOException, InterruptedException {
        for (int i = 0; i < CALLERS; i++) {
            String name = "leak" + i;
            Set<String> own = new HashSet<>();
            Set<String> workspaces = new HashSet<>();
            for (int g = random.nextInt(2); g >= 0; g--) {
                grant(name, g, own, workspaces);
            }
            TestClient client = fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"" + name + "\"}"));
            Set<String> foreign = new HashSet<>(clusters.keySet());
            foreign.removeAll(own);
            own.forEach(cluster -> workspaces.add(clusters.get(cluster).getFirst())); // a cluster says where it is
            WORKSPACES.stream().filter(id -> !workspaces.contains(id)).forEach(foreign::add);
            for (String text : answers(client, own)) {
                for (String id : foreign) {
                    assertThat(text).as("seed %s, caller %s", seed, name).doesNotContain(id);
                }
            }
            if (i < STREAMS) {
                streamed(client, foreign);
            }
            requests(client, own, name);
            TestClient.Answer list = client.get("/api/v2/clusters?counts=true&facets=workspace,environment,labels.name")
                    .expect(200);
            assertThat(list.at("/total").asInt(-1))
                    .as("seed %s, caller %s", seed, name)
                    .isEqualTo(own.size());
        }
    }

    private record Try(String method, String path, String body) {}

    /** All that can be tried with the id of a cluster; X stands for it. Making one tells that an id is taken, and must. */
    private List<Try> tries() {
        List<Try> tries = new ArrayList<>();
        String one = "/api/v2/clusters/X";
        String spec = Fleet.clusterSpec("X", "dev", "{\"workspace\":\"wsqalpha\"}");
        tries.add(new Try("GET", one, ""));
        tries.add(new Try("PUT", one, "{\"id\":\"X\",\"spec\":" + spec + "}"));
        tries.add(new Try("PATCH", one, "{\"spec\":{\"workspace\":\"wsqalpha\"}}"));
        tries.add(new Try("PATCH", one + "?dry_run=true", "{\"spec\":{\"description\":null}}"));
        tries.add(new Try("DELETE", one, ""));
        for (String part : List.of("explain", "diff", "revisions", "payload/namespaces", "delivery")) {
            tries.add(new Try("GET", one + "/" + part, ""));
        }
        for (String verb : List.of(
                "decommission", "detach", "undelete", "purge", "pause", "resume", "bootstrap", "restore?revision=2")) {
            tries.add(new Try("POST", one + ":" + verb, ""));
        }
        tries.add(new Try("POST", "/api/v2/me:can", "{\"verb\":\"update\",\"type\":\"cluster\",\"id\":\"X\"}"));
        for (String op : List.of("\"patch\",\"patch\":{\"description\":\"x\"}", "\"delete\"")) {
            tries.add(new Try(
                    "POST",
                    "/api/v2/changes",
                    "{\"operations\":[{\"type\":\"cluster\",\"id\":\"X\",\"op\":" + op + "}]}"));
        }
        tries.add(new Try(
                "POST",
                "/api/v2/clusters:bootstrap",
                "{\"clusters\":[\"X\"],\"url\":\"https://homeport.example.com\"}"));
        tries.add(new Try("POST", "/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"X\"}}"));
        tries.add(new Try("POST", "/api/v2/tokens", "{\"spec\":{\"kind\":\"join\",\"subject\":\"X\"}}"));
        for (String scope : List.of("\"cluster\":\"X\"", "\"workspace\":\"W\"")) {
            tries.add(new Try(
                    "POST",
                    "/api/v2/freezes",
                    "{\"id\":\"fz\",\"spec\":{\"reason\":\"x\",\"scope\":{" + scope + "}}}"));
            tries.add(new Try(
                    "POST",
                    "/api/v2/access-grants",
                    "{\"id\":\"gr\",\"spec\":{\"subject\":\"person:x\",\"role\":\"viewer\",\"scope\":{" + scope
                            + "}}}"));
        }
        tries.add(new Try("PATCH", "/api/v2/clusters/clqaldevx", "{\"spec\":{\"workspace\":\"W\"}}"));
        tries.add(new Try("PATCH", "/api/v2/workspaces/W", "{\"spec\":{\"description\":\"x\"}}"));
        tries.add(new Try("DELETE", "/api/v2/workspaces/W", ""));
        tries.add(new Try("GET", "/api/v2/changes?cluster=X", ""));
        tries.add(new Try("GET", "/clusters/X", ""));
        return tries;
    }

    private static String tried(TestClient client, Try one, String cluster, String workspace) {
        Map<String, String> headers = new TreeMap<>(Map.of("If-Match", "*"));
        if (one.method().equals("PATCH")) {
            headers.put("Content-Type", "application/merge-patch+json");
        }
        TestClient.Answer answer = client.send(
                one.method(),
                one.path().replace("X", cluster).replace("W", workspace),
                one.body().replace("X", cluster).replace("W", workspace),
                headers);
        return answer.status() + " "
                + answer.text()
                        .replace(cluster, "X")
                        .replace(workspace, "W")
                        .replaceAll("\"request_id\":\"[^\"]*\"", "")
                        .replaceAll("token/t[a-z0-9]+", "token");
    }

    /** Not by the status alone: no word of a refusal is another one. */
    @Test
    void theForeignIsAnsweredAsTheAbsentWordForWord() {
        for (String role : List.of("viewer", "workspace-admin", "service")) {
            fleet.create(
                            "access-grants",
                            "words-" + role,
                            "{\"subject\":\"person:words-" + role + "\",\"role\":\"" + role
                                    + "\",\"scope\":{\"workspace\":\"wsqalpha\"}}")
                    .expect(201);
            TestClient client =
                    fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"words-" + role + "\"}"));
            for (Try one : tries()) {
                String foreign = tried(client, one, "clqbrdevx", "wsqbravo");
                assertThat(foreign)
                        .as(role + " " + one)
                        .isEqualTo(tried(client, one, "clqnodevx", "wsqnobody"))
                        .matches(answer -> answer.startsWith("4") || answer.equals("200 {\"items\":[]}"));
            }
        }
    }

    /** One document at a time, of any cluster or of none: a foreign one is answered like a missing one. */
    private void requests(TestClient client, Set<String> own, String name) {
        List<String> ids = new ArrayList<>(clusters.keySet());
        ids.add("clqnobodyx");
        int times = "long".equals(System.getProperty("homeport.depth")) ? 100_000 : 10_000;
        for (int i = times / CALLERS; i > 0; i--) {
            String id = ids.get(random.nextInt(ids.size()));
            String what = WHAT.get(random.nextInt(WHAT.size()));
            String said = "seed " + seed + ", caller " + name + ", " + id + " " + what;
            switch (what) {
                case "count" -> {
                    String environment = ENVIRONMENTS.get(random.nextInt(3));
                    long expected = own.stream()
                            .filter(cluster -> clusters.get(cluster).getLast().equals(environment))
                            .count();
                    assertThat(client.get("/api/v2/clusters?counts=true&page_size=1&filter=environment%3D%22"
                                            + environment + "%22")
                                    .expect(200)
                                    .at("/total")
                                    .asLong(-1))
                            .as(said)
                            .isEqualTo(expected);
                }
                case "change" -> {
                    int status = client.send(
                                    "PATCH",
                                    "/api/v2/clusters/" + id + "?dry_run=true",
                                    "{\"spec\":{\"description\":\"mine\"}}",
                                    Map.of("Content-Type", "application/merge-patch+json"))
                            .status();
                    assertThat(status).as(said).isIn(own.contains(id) ? List.of(200, 403) : List.of(404));
                }
                default ->
                    assertThat(client.get("/api/v2/clusters/" + id + what).status())
                            .as(said)
                            .isEqualTo(own.contains(id) ? 200 : 404);
            }
        }
    }

    /** Everything from the first change on, and one that happens now. */
    private void streamed(TestClient client, Set<String> foreign) throws IOException, InterruptedException {
        try (EventReader reader = new EventReader(client, "/api/v2/stream", "1-1")) {
            fleet.patch("/api/v2/platform-components/leaky", "{\"description\":\"now " + random.nextInt() + "\"}")
                    .expect(200);
            String last = Long.toString(fleet.revision());
            String text = "";
            while (!text.contains("\"revision\":" + last)) {
                text = reader.next(20).toString();
                for (String id : foreign) {
                    assertThat(text).as("seed %s", seed).doesNotContain(id);
                }
            }
        }
    }

    private void grant(String name, int number, Set<String> own, Set<String> workspaces) {
        String role =
                List.of("viewer", "workspace-admin", "cluster-admin", "service").get(random.nextInt(4));
        String workspace = WORKSPACES.get(random.nextInt(3));
        String environment = ENVIRONMENTS.get(random.nextInt(3));
        String cluster = List.copyOf(clusters.keySet()).get(random.nextInt(clusters.size()));
        int kind = random.nextInt(3);
        boolean narrowed = kind == 0 && random.nextBoolean();
        String scope = List.of(
                        "{\"workspace\":\"" + workspace + "\"}",
                        "{\"environment\":\"" + environment + "\"}",
                        "{\"cluster\":\"" + cluster + "\"}")
                .get(kind);
        fleet.create(
                        "access-grants",
                        name + "-" + number,
                        "{\"subject\":\"person:" + name + "\",\"role\":\"" + role + "\",\"scope\":" + scope
                                + (narrowed ? ",\"environments\":[\"" + environment + "\"]" : "") + "}")
                .expect(201);
        clusters.forEach((id, where) -> {
            boolean in = switch (kind) {
                case 0 ->
                    where.getFirst().equals(workspace)
                            && (!narrowed || where.getLast().equals(environment));
                case 1 -> where.getLast().equals(environment);
                default -> id.equals(cluster);
            };
            if (in) {
                own.add(id);
            }
        });
        if (kind == 0) {
            workspaces.add(workspace);
        }
        if (kind != 2 && (role.equals("service") || role.equals("workspace-admin") && kind == 1)) {
            workspaces.addAll(kind == 0 ? List.of(workspace) : WORKSPACES); // to set their values for one environment
        }
    }

    private List<String> answers(TestClient client, Set<String> own) {
        List<String> texts = new ArrayList<>();
        for (String path : List.of(
                "/api/v2/clusters?page_size=3",
                "/api/v2/clusters?counts=true&facets=workspace,environment,labels.name,template",
                "/api/v2/clusters?filter=environment%21%3D%22none%22",
                "/api/v2/clusters?label_selector=name",
                "/api/v2/clusters?as_of=" + fleet.revision(),
                "/api/v2/workspaces",
                "/api/v2/platform-components?counts=true",
                "/api/v2/platform-components/leaky",
                "/api/v2/tokens?counts=true&facets=subject",
                "/api/v2/access-grants",
                "/api/v2/freezes",
                "/api/v2/findings?page_size=1000",
                "/api/v2/export",
                "/api/v2/export?format=yaml",
                "/api/v2/changes?page_size=1000",
                "/api/v2/changes?format=jsonl&page_size=1000",
                "/api/v2/changes?type=cluster",
                "/api/v2/changes?refused=true",
                "/api/v2/me",
                "/api/v2/flux/clusters",
                "/clusters")) {
            texts.add(client.get(path).text());
        }
        for (String cluster : own) {
            for (String path :
                    List.of("", "/explain", "/diff", "/revisions", "/payload/platform-components", "/delivery")) {
                texts.add(client.get("/api/v2/clusters/" + cluster + path).text());
            }
        }
        // Writes that meet others: a shared document, a taken name, everything by a selector.
        Map<String, String> patch = Map.of("Content-Type", "application/merge-patch+json");
        texts.add(client.send(
                        "PATCH",
                        "/api/v2/platform-components/leaky?dry_run=true",
                        "{\"spec\":{\"oci_tag\":\"v2\"}}",
                        patch)
                .text());
        texts.add(client.send("DELETE", "/api/v2/platform-components/leaky?dry_run=true", "", Map.of("If-Match", "*"))
                .text());
        texts.add(client.send("DELETE", "/api/v2/environments/dev?dry_run=true", "", Map.of("If-Match", "*"))
                .text());
        texts.add(client.post(
                        "/api/v2/changes?dry_run=true",
                        "{\"operations\":[{\"op\":\"patch\",\"type\":\"cluster\",\"selector\":{\"filter\":"
                                + "\"owner=\\\"team-a\\\"\"},\"patch\":{\"description\":\"mine\"}}]}")
                .text());
        return texts;
    }
}
