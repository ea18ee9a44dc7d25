package dev.homeport.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** How documents are printed. JSON and YAML are the API's objects; tables are for eyes. */
enum Output {
    TABLE,
    NAME,
    JSON,
    JSONL,
    YAML;

    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final YAMLMapper YAML_FORM = new YAMLMapper();

    void print(List<JsonNode> documents, boolean list, PrintWriter out) {
        switch (this) {
            case TABLE -> table(documents, out);
            case NAME ->
                documents.forEach(one -> out.println(
                        one.path("type").asString("") + "/" + one.path("id").asString("")));
            case JSONL -> documents.forEach(one -> out.println(one.toString()));
            case JSON -> out.println(PRETTY.writeValueAsString(list ? documents : documents.getFirst()));
            case YAML -> documents.forEach(one -> out.print(YAML_FORM.writeValueAsString(one)));
        }
        out.flush(); // a writer of lines keeps what does not end one
    }

    private static void table(List<JsonNode> documents, PrintWriter out) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"NAME", "REVISION", "UPDATED-BY", "UPDATED"});
        for (JsonNode one : documents) {
            JsonNode meta = one.path("meta");
            rows.add(new String[] {
                one.path("id").asString(""),
                meta.path("revision").asString(""),
                meta.path("updated_by").asString(""),
                meta.path("updated_at").asString("")
            });
        }
        int[] widths = new int[4];
        rows.forEach(row -> {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        });
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
