package dev.homeport.cli.output;

import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import dev.homeport.cli.terminal.TextTable;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How results are printed. */
public final class OutputOptions {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, wide, name, json, yaml, jsonl, csv or md.")
    @Nullable
    public Form form;

    @Option(names = "--jq", paramLabel = "PROGRAM", description = "Filter JSON with a jq expression.")
    @Nullable
    public String jq;

    @Option(
            names = "--columns",
            paramLabel = "NAME,…",
            description = "Columns by heading or field path, such as labels.region.")
    @Nullable
    public String columns;

    @Option(names = "--no-headers", description = "Omit the header line of tables and CSV.")
    public boolean noHeaders;

    private final ProcessEnvironment process;
    private Form standard = Form.TABLE;

    public OutputOptions(ProcessEnvironment process) {
        this.process = process;
    }

    /** The default format, from the context. */
    public void standard(Optional<String> word) {
        word.ifPresent(text -> standard = parse(text));
    }

    private static Form parse(String text) {
        for (Form form : Form.values()) {
            if (form.name().equalsIgnoreCase(text)) {
                return form;
            }
        }
        throw new UsageProblem(
                "the context's output " + text + " is unknown; use table, wide, name, json, yaml, jsonl, csv or md");
    }

    public Form form() {
        return jq != null ? Form.JSON : form != null ? form : standard;
    }

    public boolean isChosen() {
        return form != null || jq != null || columns != null;
    }

    /** Whether what has no rows is wanted as the API's object; otherwise a person reads it. */
    public boolean isObject() {
        if (columns != null) {
            throw new UsageProblem("there are no columns to choose here: take -o json with --jq");
        }
        if (form == Form.NAME || form == Form.CSV || form == Form.MD) {
            throw new UsageProblem("this is no list: -o is json, yaml or jsonl here");
        }
        return jq != null || form != null && !isTable();
    }

    /** True when a person reads it, so that it may be prettier than a promise. */
    public boolean isTable() {
        return form() == Form.TABLE || form() == Form.WIDE;
    }

    public boolean withHeaders() {
        return !noHeaders;
    }

    /** How wide a table may be of which nothing may be cut off. What is no terminal has no edge. */
    public int room() {
        return process.terminals().out() && form() == Form.TABLE ? process.columns() : Integer.MAX_VALUE;
    }

    /** Something else than documents: an object as the API gave it. */
    public void printObject(JsonNode object) {
        if (jq != null) {
            Jq.run(jq, object, process.out());
            return;
        }
        switch (form()) {
            case YAML -> process.out().print(YamlText.write(object));
            case JSONL -> process.out().println(object);
            case TABLE, WIDE, JSON, NAME, CSV, MD -> process.out().println(pretty(object));
        }
        process.out().flush();
    }

    /** @param list whether many were asked for, so that JSON is a list even of one */
    public void print(String type, List<JsonNode> documents, boolean list) {
        PrintStream out = process.out();
        warnOfEmptyColumns(type, documents);
        if (jq != null) {
            Jq.run(jq, list ? array(documents) : documents.getFirst(), out);
            return;
        }
        switch (form()) {
            case TABLE, WIDE ->
                tableLines(type, documents, noHeaders, new ArrayList<>()).forEach(out::println);
            case NAME -> documents.forEach(one -> out.println(name(type, one)));
            case JSONL -> documents.forEach(out::println);
            case JSON -> out.println(pretty(list ? array(documents) : documents.getFirst()));
            case YAML -> documents.forEach(one -> out.print(YamlText.write(one)));
            case CSV -> rows(type, documents, CsvText::line).forEach(row -> out.print(row + "\r\n"));
            case MD -> markdown(type, documents, out);
        }
        out.flush();
    }

    /** A column without any value is likely mistyped. */
    private void warnOfEmptyColumns(String type, List<JsonNode> documents) {
        if (columns == null || documents.isEmpty()) {
            return;
        }
        Columns known = new Columns(new Ages(process.clock()));
        List<String> headings = known.of(type).stream().map(Column::heading).toList();
        for (Column column : known.chosen(type, columns)) {
            boolean empty = documents.stream()
                    .allMatch(document -> column.value().apply(document).isEmpty());
            if (empty && !headings.contains(column.heading())) {
                process.err()
                        .println("warning: nothing here has a field "
                                + SafeText.line(column.heading().toLowerCase(Locale.ROOT)) + "; columns are "
                                + String.join(", ", headings).toLowerCase(Locale.ROOT)
                                + ", or the path of a field as -o json shows it");
            }
        }
    }

    /** @param widths of the lines before, so that lines that come later stand below them */
    public List<String> tableLines(String type, List<JsonNode> documents, boolean bare, List<Integer> widths) {
        List<Column> shown = columns(type);
        Style style = process.style(false);
        TextTable table = new TextTable();
        if (!bare) {
            table.row(shown.stream().map(Column::heading).toList());
        }
        documents.forEach(document -> table.row(shown.stream()
                .map(column -> column.value().apply(document))
                .map(text -> text.isEmpty() ? Column.NOTHING : text)
                .toList()));
        if (form() == Form.TABLE && columns == null) {
            table.narrow(shown.stream().map(Column::mayBeCut).toList(), process.columns());
        }
        List<String> lines = table.lines(widths);
        if (style == Style.PLAIN) {
            return lines;
        }
        List<String> coloured = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean heading = i == 0 && !bare;
            coloured.add(
                    heading
                            ? style.bold(lines.get(i))
                            : coloured(lines.get(i), documents.get(bare ? i : i - 1), style));
        }
        return coloured;
    }

    private static String coloured(String line, JsonNode document, Style style) {
        if (!document.path("type").asString("").equals("cluster")) {
            return line;
        }
        String state = Columns.state(document);
        return line.replaceFirst("  " + java.util.regex.Pattern.quote(state) + "(?=  |$)", "  " + style.state(state));
    }

    private List<Column> columns(String type) {
        Columns known = new Columns(new Ages(process.clock()));
        if (columns != null) {
            return known.chosen(type, columns);
        }
        boolean all = form() != Form.TABLE;
        return known.of(type).stream().filter(column -> all || !column.wide()).toList();
    }

    private List<String> rows(
            String type, List<JsonNode> documents, java.util.function.Function<List<String>, String> line) {
        List<Column> shown = columns(type);
        List<String> rows = new ArrayList<>();
        if (!noHeaders) {
            rows.add(line.apply(shown.stream().map(Column::heading).toList()));
        }
        documents.forEach(document -> rows.add(line.apply(
                shown.stream().map(column -> column.value().apply(document)).toList())));
        return rows;
    }

    private void markdown(String type, List<JsonNode> documents, PrintStream out) {
        List<String> rows = rows(type, documents, MarkdownText::row);
        for (int i = 0; i < rows.size(); i++) {
            out.println(rows.get(i));
            if (i == 0 && !noHeaders) {
                out.println(MarkdownText.rule(columns(type).size()));
            }
        }
    }

    private static String name(String type, JsonNode document) {
        String kind = document.path("type").asString(type);
        return SafeText.line(
                switch (type) {
                    case "change" -> "change/ch-" + document.path("revision").asString("");
                    case "finding" ->
                        document.path("kind").asString("") + "/"
                                + document.path("subject").asString("");
                    case "refusal" -> "refusal/" + document.path("at").asString("");
                    case "type" ->
                        "type/"
                                + document.path("name")
                                        .asString(document.path("id").asString(""));
                    case "context" -> document.path("name").asString("");
                    default -> kind + "/" + document.path("id").asString("");
                });
    }

    private static JsonNode array(List<JsonNode> documents) {
        return JsonMapper.shared().createArrayNode().addAll(documents);
    }

    private static String pretty(JsonNode json) {
        return JsonMapper.shared()
                .writer()
                .with(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(json);
    }
}
