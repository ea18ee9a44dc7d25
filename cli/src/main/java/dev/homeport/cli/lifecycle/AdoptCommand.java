package dev.homeport.cli.lifecycle;

import dev.homeport.cli.change.AssignOptions;
import dev.homeport.cli.output.CsvText;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.Placed;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport adopt NAME}, or many from a table. */
@Command(
        name = "adopt",
        description = "Add a cluster to the fleet, or many from a CSV file, atomically.",
        footer = {
            "",
            "The file's first line names its columns: name, dns, env, workspace, template, owner, labels",
            "(a=b;c=d), label.KEY, and any field of a cluster. Flags hold for rows that leave a field out.",
            "",
            "Examples:",
            "  homeport adopt payments-prod-00418 -W payments --env prod --owner team-payments -l region=eu-west-1",
            "  homeport adopt -f clusters.csv --template edge-small --dry-run"
        })
final class AdoptCommand implements Callable<Integer> {
    private static final Map<String, String> HEADINGS = Map.of(
            "name", "id",
            "dns", "cluster_dns",
            "env", "environment");
    private static final List<String> NUMBERS = List.of("input_limit", "node_count");

    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The cluster's id.")
    @Nullable
    String name;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE|-",
            description = "CSV with many clusters.")
    @Nullable
    String file;

    @Option(names = "--dns", paramLabel = "NAME", description = "The DNS name it polls under; default its id.")
    @Nullable
    String dns;

    @Option(
            names = {"--env", "--environment"},
            paramLabel = "NAME",
            description = "Its environment.")
    @Nullable
    String environment;

    @Option(
            names = {"-W", "--workspace"},
            paramLabel = "NAME",
            description = "Its workspace; default the context's.")
    @Nullable
    String workspace;

    @Option(names = "--template", paramLabel = "NAME", description = "Its template.")
    @Nullable
    String template;

    @Option(names = "--owner", paramLabel = "NAME", description = "Responsible team or person.")
    @Nullable
    String owner;

    @Option(
            names = {"-l", "--label"},
            split = ",",
            paramLabel = "KEY=VALUE",
            description = "A label; can be repeated.")
    List<String> labels = List.of();

    @Option(names = "--protected", description = "Removals on it need a confirmation.")
    boolean isProtected;

    @Override
    public Integer call() {
        if ((name == null) == (file == null)) {
            throw new UsageProblem("give a NAME, or -f with a CSV file");
        }
        if (name != null) {
            ObjectNode body = JsonMapper.shared().createObjectNode().put("id", name);
            body.set("spec", completed(name, JsonMapper.shared().createObjectNode()));
            return write.run(server, WriteRequest.post(Kind.CLUSTER.path(), body));
        }
        if (dns != null) {
            throw new UsageProblem("--dns is for one cluster; the file has a column dns");
        }
        return many(String.valueOf(file));
    }

    private int many(String source) {
        ProcessEnvironment process = server.process();
        List<CsvText.Row> rows =
                CsvText.read(source.equals("-") ? process.readAll() : DocumentFiles.text(process.file(source)));
        if (rows.size() < 2) {
            throw new UsageProblem(source + " has no clusters: the first line names the columns, each other is one");
        }
        List<String> columns = rows.getFirst().cells().stream()
                .map(heading -> heading.strip().replace(' ', '_'))
                .map(heading -> heading.startsWith("label") ? heading : heading.toLowerCase(Locale.ROOT))
                .map(heading -> HEADINGS.getOrDefault(heading, heading))
                .toList();
        if (!columns.contains("id")) {
            throw new UsageProblem(source + " has no column name");
        }
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        List<String> places = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (CsvText.Row row : rows.subList(1, rows.size())) {
            String place = source + ":" + row.line();
            if (row.cells().size() > columns.size()) {
                throw new UsageProblem(place + ": there are more cells than columns");
            }
            ObjectNode spec = JsonMapper.shared().createObjectNode();
            String id = read(columns, row.cells(), spec, place);
            Integer before = seen.put(id, row.line());
            if (before != null) {
                throw new UsageProblem(place + ": " + id + " is in line " + before + " already");
            }
            operations
                    .addObject()
                    .put("op", "create")
                    .put("type", "cluster")
                    .put("id", id)
                    .set("spec", completed(id, spec));
            places.add(place);
        }
        return Placed.inPlaces(places, () -> write.run(server, WriteRequest.change(operations)));
    }

    private static String read(List<String> columns, List<String> cells, ObjectNode spec, String place) {
        String id = "";
        for (int i = 0; i < cells.size(); i++) {
            String column = columns.get(i);
            String cell = cells.get(i);
            if (cell.isEmpty()) {
                continue;
            }
            if (column.equals("id")) {
                id = cell;
            } else if (column.equals("labels")) {
                label(spec, List.of(cell.split("\\s*[;,]\\s*")), place);
            } else if (column.startsWith("label.") || column.startsWith("labels.")) {
                labels(spec).put(column.substring(column.indexOf('.') + 1), cell);
            } else if (NUMBERS.contains(column) && cell.matches("[0-9]{1,9}")) {
                spec.put(column, Integer.parseInt(cell));
            } else if (column.equals("protected")) {
                spec.put(column, Boolean.parseBoolean(cell));
            } else {
                spec.put(column, cell);
            }
        }
        if (id.isEmpty()) {
            throw new UsageProblem(place + ": the cluster has no name");
        }
        return id;
    }

    /** What the row leaves out comes from the flags. */
    private ObjectNode completed(String id, ObjectNode spec) {
        put(spec, "cluster_name", id);
        put(spec, "cluster_dns", dns == null ? id : dns);
        put(spec, "environment", environment);
        put(
                spec,
                "workspace",
                workspace != null
                        ? workspace
                        : server.process()
                                .variable("HOMEPORT_WORKSPACE")
                                .or(() -> server.setting("workspace"))
                                .orElse(null));
        put(spec, "template", template);
        put(spec, "owner", owner);
        label(spec, labels, "-l");
        if (isProtected && !spec.has("protected")) {
            spec.put("protected", true);
        }
        return spec;
    }

    private static void put(ObjectNode spec, String field, @Nullable String value) {
        if (!spec.has(field)) {
            AssignOptions.put(spec, field, value);
        }
    }

    private static void label(ObjectNode spec, List<String> pairs, String place) {
        for (String pair : pairs) {
            int sign = pair.indexOf('=');
            if (sign < 1) {
                throw new UsageProblem(place + ": " + pair + " is not KEY=VALUE");
            }
            String key = pair.substring(0, sign);
            if (!labels(spec).has(key)) {
                labels(spec).put(key, pair.substring(sign + 1));
            }
        }
    }

    private static ObjectNode labels(ObjectNode spec) {
        return spec.get("labels") instanceof ObjectNode known ? known : spec.putObject("labels");
    }
}
