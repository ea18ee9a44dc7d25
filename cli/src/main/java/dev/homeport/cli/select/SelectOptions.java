package dev.homeport.cli.select;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which documents: by labels, by an expression, by workspace. */
public final class SelectOptions {
    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "By labels: a=b,c!=d,e in (f,g). For clusters env, workspace, template and owner too.")
    @Nullable
    public String labels;

    @Option(
            names = "--filter",
            paramLabel = "EXPRESSION",
            description = "By fields: 'environment=prod AND labels.region:eu'.")
    @Nullable
    public String filter;

    @Option(
            names = {"-W", "--workspace"},
            paramLabel = "NAME",
            description = "Clusters of this workspace.")
    @Nullable
    public String workspace;

    @Option(
            names = {"-A", "--all-workspaces"},
            description = "Clusters of all workspaces; overrides the context.")
    public boolean allWorkspaces;

    /** True if nothing was selected. The context's workspace alone does not count, because a slip would select too many. */
    public boolean isEmpty() {
        return labels == null && filter == null && workspace == null && !allWorkspaces;
    }

    /** What the API takes. */
    public record Query(Optional<String> labels, Optional<String> filter) {
        public boolean isEmpty() {
            return labels.isEmpty() && filter.isEmpty();
        }

        public ObjectNode into(ObjectNode selector) {
            labels.ifPresent(text -> selector.put("label_selector", text));
            filter.ifPresent(text -> selector.put("filter", text));
            return selector;
        }
    }

    public Query query(Kind kind, ServerOptions server) {
        List<String> filters = new ArrayList<>();
        String others = "";
        if (labels != null) {
            LabelTerms terms = LabelTerms.parse(labels, kind.equals(Kind.CLUSTER));
            filters.addAll(terms.filters());
            others = terms.labels();
        }
        if (filter != null && !filter.isBlank()) {
            filters.add("(" + FilterWords.rewritten(filter, kind.equals(Kind.CLUSTER)) + ")");
        }
        if (kind.equals(Kind.CLUSTER) && !allWorkspaces) {
            Optional.ofNullable(workspace)
                    .or(() -> server.process().variable("HOMEPORT_WORKSPACE"))
                    .or(() -> server.setting("workspace"))
                    .ifPresent(name -> filters.add("workspace = " + FilterWords.quoted(name)));
        } else if (workspace != null) {
            throw new UsageProblem("-W is for clusters; other documents are of no workspace");
        }
        return new Query(
                Optional.of(others).filter(text -> !text.isEmpty()),
                filters.isEmpty() ? Optional.empty() : Optional.of(String.join(" AND ", filters)));
    }

    /** Every document of a type that the query chooses, page by page. */
    public static List<JsonNode> all(HomeportClient client, Kind kind, Query query, Optional<String> asOf) {
        List<JsonNode> found = new ArrayList<>();
        Pages pages = client.pages();
        JsonNode page;
        do {
            String path = new Paths(kind.path())
                    .with("page_size", "1000")
                    .with("page_token", pages.token())
                    .with("label_selector", query.labels())
                    .with("filter", query.filter())
                    .with("as_of", asOf)
                    .toString();
            page = client.get(path).body();
            page.path("items").forEach(found::add);
        } while (pages.goOn(page));
        return found;
    }
}
