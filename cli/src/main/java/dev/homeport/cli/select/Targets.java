package dev.homeport.cli.select;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents that a command is about: named, or selected. Never all of them by default. */
public record Targets(Kind kind, List<Reference> named, SelectOptions.Query query) {

    /** @param words {@code TYPE NAME…}, {@code TYPE/NAME…}, or a type with a selection */
    public static Targets of(List<String> words, SelectOptions selection, ServerOptions server, HomeportClient client) {
        List<Reference> named = Reference.all(words, client);
        Kind kind = named.isEmpty()
                ? Kind.of(words.getFirst(), client)
                : named.getFirst().kind();
        return of(kind, named, selection, server);
    }

    /** @param names of clusters, as NAME or cluster/NAME */
    public static Targets clusters(List<String> names, SelectOptions selection, ServerOptions server) {
        List<Reference> named = names.stream()
                .map(name -> new Reference(Kind.CLUSTER, Reference.cluster(name)))
                .toList();
        return of(Kind.CLUSTER, named, selection, server);
    }

    private static Targets of(Kind kind, List<Reference> named, SelectOptions selection, ServerOptions server) {
        if (named.isEmpty() == selection.isEmpty()) {
            throw new UsageProblem(
                    named.isEmpty()
                            ? "say which " + kind.plural() + ": names, -l SELECTOR, --filter EXPRESSION, -W or -A"
                            : "names and a selection together are too much: give one of them");
        }
        return new Targets(
                kind,
                named,
                named.isEmpty()
                        ? selection.query(kind, server)
                        : new SelectOptions.Query(java.util.Optional.empty(), java.util.Optional.empty()));
    }

    /** The operation for each that is named, or one with a selector. */
    public ArrayNode operations(String op) {
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        if (named.isEmpty()) {
            ObjectNode operation = operations.addObject().put("op", op).put("type", kind.name());
            if (query.isEmpty()) {
                operation.putObject("selector").put("filter", "id != \"\"");
            } else {
                query.into(operation.putObject("selector"));
            }
        } else {
            named.forEach(one -> operations
                    .addObject()
                    .put("op", op)
                    .put("type", one.kind().name())
                    .put("id", one.id()));
        }
        return operations;
    }

    public List<String> ids(HomeportClient client) {
        return named.isEmpty()
                ? documents(client).stream()
                        .map(document -> document.path("id").asString(""))
                        .toList()
                : named.stream().map(Reference::id).distinct().toList();
    }

    /** The documents themselves. */
    public List<JsonNode> documents(HomeportClient client) {
        if (named.isEmpty()) {
            List<JsonNode> found = SelectOptions.all(client, kind, query, java.util.Optional.empty());
            if (found.isEmpty()) {
                throw new UsageProblem("the selection selects nothing: try it with homeport get " + kind.plural());
            }
            return found;
        }
        List<JsonNode> found = new ArrayList<>();
        named.forEach(one -> found.add(client.get(one.path()).body()));
        return found;
    }
}
