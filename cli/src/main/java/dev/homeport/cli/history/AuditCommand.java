package dev.homeport.cli.history;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import dev.homeport.cli.output.DiffText;
import dev.homeport.cli.output.JsonDiff;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.output.Times;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport audit}: who changed what, when and why. */
@Command(
        name = "audit",
        description = "List changes, newest first; or show one with every field before and after.",
        footer = {
            "",
            "Examples:",
            "  homeport audit --since 24h --actor 'ci/*' -o md",
            "  homeport audit ch-20418",
            "  homeport audit --since 30d --full > audit.jsonl"
        })
final class AuditCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(arity = "0..1", paramLabel = "CHANGE", description = "One change, as ch-12 or 12.")
    @Nullable
    String change;

    @Option(names = "--since", paramLabel = "TIME", description = "Not before: 24h, or a time.")
    @Nullable
    String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Not after.")
    @Nullable
    String until;

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            description = "The actor, with or without the kind; * matches any text.")
    @Nullable
    String actor;

    @Option(names = "--type", paramLabel = "TYPE", description = "Changes of documents of this type.")
    @Nullable
    String type;

    @Option(names = "--id", paramLabel = "NAME", description = "Changes of documents of this name.")
    @Nullable
    String id;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Changes of this cluster.")
    @Nullable
    String cluster;

    @Option(names = "--text", paramLabel = "TEXT", description = "Text in reason or actor.")
    @Nullable
    String text;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of results; default 100.")
    int limit = 100;

    @Option(
            names = {"--denied", "--refused"},
            description = "List denied attempts instead of changes.")
    boolean refused;

    @Option(names = "--full", description = "Every change with all documents, as JSON Lines.")
    boolean full;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        if (change != null) {
            one(client, change);
            return ExitCodes.DONE;
        }
        if (full) {
            return lines(client);
        }
        List<JsonNode> found = new ArrayList<>();
        Pages pages = client.pages();
        JsonNode page;
        do {
            page = client.get(query(pages.token(), Math.min(limit, 1000)).toString())
                    .body();
            page.path("items").forEach(item -> {
                if (found.size() < limit && isBy(item)) {
                    found.add(item);
                }
            });
        } while (!refused && pages.goOn(page) && found.size() < limit);
        output.print(refused ? "refusal" : "change", found, true);
        if (found.isEmpty() && output.isTable()) {
            server.process().err().println("no matching changes");
        }
        return ExitCodes.DONE;
    }

    private boolean isBy(JsonNode item) {
        String by = item.path("actor").asString("");
        return actor == null
                || glob(actor).matcher(by).matches()
                || glob(actor).matcher(by.substring(by.indexOf(':') + 1)).matches();
    }

    /** Such as {@code service:ci/deploy}, which the server can look for. */
    private boolean isWholeActor() {
        return actor != null && !actor.contains("*") && actor.contains(":");
    }

    private static Pattern glob(String text) {
        StringBuilder pattern = new StringBuilder();
        for (String part : text.split("\\*", -1)) {
            pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(pattern.toString());
    }

    private Paths query(String token, int size) {
        ProcessEnvironment process = server.process();
        return new Paths("/api/v2/changes")
                .with("page_size", Integer.toString(size))
                .with("page_token", token)
                .with("since", since == null ? null : Times.back(process, since))
                .with("until", until == null ? null : Times.back(process, until))
                .with("actor", isWholeActor() ? actor : null)
                .with(
                        "type",
                        type == null ? null : Kind.known(type).map(Kind::plural).orElse(type))
                .with("id", id)
                .with("cluster", cluster == null ? null : Reference.cluster(cluster))
                .with("text", text)
                .flag("refused", refused);
    }

    private int lines(HomeportClient client) {
        if (actor != null && !isWholeActor()) {
            throw new UsageProblem("--full takes a whole actor, such as service:ci/deploy");
        }
        Pages pages = client.pages();
        Map<String, String> headers;
        do {
            headers = client.copy(
                    query(pages.token(), 1000).with("format", "jsonl").toString(),
                    server.process().out());
        } while (pages.goOn(headers.getOrDefault("homeport-next-page-token", "")));
        return ExitCodes.DONE;
    }

    private void one(HomeportClient client, String revision) {
        JsonNode whole =
                client.get("/api/v2/changes/" + Paths.encoded(revision)).body();
        if (output.isChosen()) {
            output.print("change", List.of(whole), false);
            return;
        }
        PrintStream out = server.process().out();
        out.println("change  ch-" + whole.path("revision").asString(""));
        for (String field : List.of("at", "actor", "reason", "request_id")) {
            out.println(field + "  " + SafeText.line(whole.path(field).asString("")));
        }
        whole.path("marks").forEachEntry((name, value) -> out.println(SafeText.line(name + "  " + value.asString(""))));
        DiffText diff = new DiffText(out, server.process().style(false));
        whole.path("changes").forEach(one -> print(one, diff));
        Pages pages = client.pages();
        for (JsonNode page = whole; pages.goOn(page); ) {
            page = client.get(new Paths("/api/v2/changes/" + Paths.encoded(revision))
                            .with("page_token", pages.token())
                            .toString())
                    .body();
            page.path("changes").forEach(one -> print(one, diff));
        }
        out.flush();
    }

    private static void print(JsonNode one, DiffText diff) {
        String what = one.path("type").asString("") + "/" + one.path("id").asString("")
                + (one.path("part").asString("").equals("status") ? " (status)" : "");
        switch (one.path("change").asString("")) {
            case "created" -> diff.added(what);
            case "removed" -> diff.removed(what);
            default -> {
                diff.changed(what, List.of());
            }
        }
        diff.fields(JsonDiff.of(one.path("before"), one.path("after")));
    }
}
