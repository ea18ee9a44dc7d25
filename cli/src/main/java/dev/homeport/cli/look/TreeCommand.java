package dev.homeport.cli.look;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.FilterWords;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport tree TYPE/NAME}. */
@Command(
        name = "tree",
        description = "Show the tree below a workspace, a template, an environment or a cluster.",
        footer = {
            "",
            "Below the first three are their clusters with the state of each, below a cluster what it is served and why.",
            "",
            "Examples:",
            "  homeport tree workspace/payments",
            "  homeport tree cluster/payments-prod-00417"
        })
final class TreeCommand implements Callable<Integer> {
    /** The field of a cluster that names a document of this type, and the field by which its clusters are put together. */
    private record Above(String field, String groups) {}

    private static final Map<String, Above> ABOVE = Map.of(
            "workspace", new Above("workspace", "environment"),
            "cluster_template", new Above("template", "environment"),
            "environment", new Above("environment", "workspace"));

    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "TYPE NAME", arity = "1..2", description = "A type and a name, or TYPE/NAME.")
    List<String> words;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        List<Reference> named = Reference.all(words, client);
        if (named.size() != 1) {
            throw new UsageProblem("name one document, such as workspace/payments");
        }
        Reference top = named.getFirst();
        ArrayNode branches;
        if (top.kind().equals(Kind.CLUSTER)) {
            branches = served(client, top.id());
        } else if (ABOVE.containsKey(top.kind().name())) {
            branches = clusters(client, top, ABOVE.get(top.kind().name()));
        } else {
            throw new UsageProblem("nothing hangs below a " + top.kind().name()
                    + "; name a workspace, template, environment or cluster");
        }
        if (branches.isEmpty()) {
            client.get(top.path()); // which may be because there is no such document
        }
        if (output.isObject()) {
            ObjectNode tree = JsonMapper.shared().createObjectNode().put("name", top.toString());
            tree.set("children", branches);
            output.printObject(tree);
        } else {
            print(top.toString(), branches);
        }
        return ExitCodes.DONE;
    }

    private static ArrayNode clusters(HomeportClient client, Reference top, Above above) {
        String filter = above.field() + " = " + FilterWords.quoted(top.id());
        SelectOptions.Query query = new SelectOptions.Query(Optional.empty(), Optional.of(filter));
        Map<String, ObjectNode> groups = new TreeMap<>();
        for (JsonNode cluster : SelectOptions.all(client, Kind.CLUSTER, query, Optional.empty())) {
            String group = cluster.path("spec").path(above.groups()).asString("");
            String name = group.isEmpty() ? "(no " + above.groups() + ")" : above.groups() + "/" + group;
            groups.computeIfAbsent(name, TreeCommand::branch)
                    .withArrayProperty("children")
                    .addObject()
                    .put("name", "cluster/" + cluster.path("id").asString(""))
                    .put("state", cluster.path("status").path("state").asString(""));
        }
        return JsonMapper.shared().createArrayNode().addAll(groups.values());
    }

    private static ArrayNode served(HomeportClient client, String cluster) {
        Map<String, ObjectNode> types = new TreeMap<>();
        client.get(Kind.CLUSTER.path(cluster) + "/explain?brief=true")
                .body()
                .path("types")
                .forEachEntry((type, answer) -> {
                    ObjectNode branch = branch(type);
                    if (answer.has("unresolved")) {
                        branch.put("held", answer.path("unresolved").asString(""));
                    }
                    for (JsonNode item : answer.path("items")) {
                        if (item.path("assigned").asBoolean(false)) {
                            branch.withArrayProperty("children")
                                    .addObject()
                                    .put("name", item.path("id").asString(""))
                                    .put(
                                            "assigned_by",
                                            item.path("assigned_by")
                                                    .path("document")
                                                    .asString("?"));
                        }
                    }
                    if (branch.has("held") || !branch.path("children").isEmpty()) {
                        types.put(type, branch);
                    }
                });
        return JsonMapper.shared().createArrayNode().addAll(types.values());
    }

    private static ObjectNode branch(String name) {
        ObjectNode branch = JsonMapper.shared().createObjectNode().put("name", name);
        branch.putArray("children");
        return branch;
    }

    private void print(String top, ArrayNode branches) {
        var out = server.process().out();
        out.println(SafeText.line(top));
        int left = branches.size();
        for (JsonNode branch : branches) {
            boolean last = --left == 0;
            out.println(
                    (last ? "└── " : "├── ") + SafeText.line(branch.path("name").asString("")));
            List<String> leaves = leaves(branch);
            for (int i = 0; i < leaves.size(); i++) {
                out.println((last ? "    " : "│   ") + (i == leaves.size() - 1 ? "└── " : "├── ") + leaves.get(i));
            }
        }
        out.flush();
    }

    private List<String> leaves(JsonNode branch) {
        Style style = server.process().style(false);
        List<String> leaves = new ArrayList<>();
        if (branch.has("held")) {
            leaves.add("held: " + SafeText.line(branch.path("held").asString("")));
        }
        for (JsonNode leaf : branch.path("children")) {
            leaves.add(SafeText.line(leaf.path("name").asString("")) + "  "
                    + (leaf.has("state")
                            ? style.state(SafeText.line(leaf.path("state").asString("")))
                            : "by " + SafeText.line(leaf.path("assigned_by").asString(""))));
        }
        return leaves;
    }
}
