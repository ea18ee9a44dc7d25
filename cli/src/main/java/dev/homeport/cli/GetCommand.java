package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code homeport get TYPE [NAME…]} or {@code TYPE/NAME}. */
@Command(name = "get", description = "Lists documents of a type, or shows some of them.")
final class GetCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Parameters(paramLabel = "TYPE [NAME…]", arity = "1..*", description = "A type and names, or TYPE/NAME.")
    List<String> words;

    @Option(names = "-o", paramLabel = "FORM", description = "table, name, json, jsonl or yaml.")
    Output output = Output.TABLE;

    @Option(names = "-l", paramLabel = "SELECTOR", description = "Only those with these labels.")
    @Nullable
    String labels;

    @Option(names = "--filter", paramLabel = "EXPRESSION", description = "Only those that the expression fits.")
    @Nullable
    String filter;

    @Option(names = "--as-of", paramLabel = "REVISION|TIME", description = "As it was then.")
    @Nullable
    String asOf;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        List<JsonNode> found = new ArrayList<>();
        boolean list = false;
        if (words.getFirst().contains("/")) {
            for (String word : words) {
                String[] parts = word.split("/", 2);
                found.add(one(client, TypeWords.plural(parts[0]), parts[1]));
            }
        } else if (words.size() == 1) {
            list = true;
            all(client, TypeWords.plural(words.getFirst()), found);
        } else {
            for (String name : words.subList(1, words.size())) {
                found.add(one(client, TypeWords.plural(words.getFirst()), name));
            }
        }
        output.print(found, list || found.size() != 1, spec.commandLine().getOut());
        return 0;
    }

    private JsonNode one(HomeportClient client, String plural, String name) {
        return client.get("/api/v2/" + plural + "/" + encoded(name) + (asOf == null ? "" : "?as_of=" + encoded(asOf)))
                .body();
    }

    private void all(HomeportClient client, String plural, List<JsonNode> found) {
        String token = "";
        do {
            StringBuilder path = new StringBuilder("/api/v2/" + plural + "?page_size=1000");
            add(path, "page_token", token);
            add(path, "label_selector", labels);
            add(path, "filter", filter);
            add(path, "as_of", asOf);
            JsonNode page = client.get(path.toString()).body();
            page.path("items").forEach(found::add);
            token = page.path("next_page_token").asString("");
        } while (!token.isEmpty());
    }

    private static void add(StringBuilder path, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            path.append('&').append(name).append('=').append(encoded(value));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
