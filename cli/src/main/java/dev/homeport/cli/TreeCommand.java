package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
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

/** {@code homeport tree TYPE/NAME}. */
@Command(
        name = "tree",
        description = "Shows what hangs below a workspace, a template, an environment or a cluster.",
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
        Map<String, List<String>> branches;
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
        print(top.toString(), branches);
        return ExitCodes.DONE;
    }

    private Map<String, List<String>> clusters(HomeportClient client, Reference top, Above above) {
        String filter = above.field() + " = " + FilterWords.quoted(top.id());
        SelectOptions.Query query = new SelectOptions.Query(Optional.empty(), Optional.of(filter));
        Style style = server.surroundings().style(false);
        Map<String, List<String>> groups = new TreeMap<>();
        for (JsonNode cluster : SelectOptions.all(client, Kind.CLUSTER, query, Optional.empty())) {
            String group = cluster.path("spec").path(above.groups()).asString("");
            String name = group.isEmpty() ? "(no " + above.groups() + ")" : above.groups() + "/" + group;
            groups.computeIfAbsent(name, one -> new ArrayList<>())
                    .add("cluster/" + SafeText.line(cluster.path("id").asString("")) + "  "
                            + style.state(SafeText.line(
                                    cluster.path("status").path("state").asString(""))));
        }
        return groups;
    }

    private Map<String, List<String>> served(HomeportClient client, String cluster) {
        Map<String, List<String>> types = new TreeMap<>();
        client.get(Kind.CLUSTER.path(cluster) + "/explain?brief=true")
                .body()
                .path("types")
                .forEachEntry((type, answer) -> {
                    List<String> items = types.computeIfAbsent(type, one -> new ArrayList<>());
                    if (answer.has("unresolved")) {
                        items.add("held: "
                                + SafeText.line(answer.path("unresolved").asString("")));
                    }
                    for (JsonNode item : answer.path("items")) {
                        if (item.path("assigned").asBoolean(false)) {
                            items.add(SafeText.line(item.path("id").asString("")) + "  by "
                                    + SafeText.line(item.path("assigned_by")
                                            .path("document")
                                            .asString("?")));
                        }
                    }
                });
        types.values().removeIf(List::isEmpty);
        return types;
    }

    private void print(String top, Map<String, List<String>> branches) {
        var out = server.surroundings().out();
        out.println(SafeText.line(top));
        int left = branches.size();
        for (Map.Entry<String, List<String>> branch : branches.entrySet()) {
            boolean last = --left == 0;
            out.println((last ? "└── " : "├── ") + SafeText.line(branch.getKey()));
            List<String> leaves = branch.getValue();
            for (int i = 0; i < leaves.size(); i++) {
                out.println((last ? "    " : "│   ") + (i == leaves.size() - 1 ? "└── " : "├── ") + leaves.get(i));
            }
        }
        out.flush();
    }
}
