package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The whole desired state in one file. Equal states give equal bytes, and what is exported can be imported. */
final class ExportRoutes {
    static final String MARK = "homeport_export";
    static final int VERSION = 1;
    private static final String YAML = "application/yaml";

    private final Services services;
    private final WriteDesk desk;

    ExportRoutes(Services services) {
        this.services = services;
        this.desk = new WriteDesk(services);
    }

    List<Route> routes() {
        return List.of(
                AdminRoute.read(
                        "/api/v2/export",
                        "exportFleet",
                        "Export the whole fleet as JSON or YAML; tokens=true adds stored tokens (hashes).",
                        Set.of(AsOf.NAME, "format", "tokens"),
                        this::export),
                AdminRoute.write(
                        "POST",
                        "/api/v2/import",
                        "importFleet",
                        "Create or replace every document of an export in one change; prune=true removes all others.",
                        Set.of("prune"),
                        AdminRoute.WHOLE_FLEET,
                        this::importing));
    }

    private Reply export(Call call) {
        AsOf state = AsOf.of(call, services);
        boolean tokens = call.flag("tokens");
        if (tokens && !state.powers().isPlatformAdmin()) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN, "only a platform admin may export tokens", "leave tokens out");
        }
        return switch (call.query("format").orElse("json")) {
            case "json" -> Reply.text(200, Reply.JSON, text(state, tokens));
            case "yaml" -> {
                ObjectNode export = StrictJson.object().put(MARK, VERSION);
                ArrayNode documents = export.putArray("documents");
                entries(state, tokens, documents::add);
                yield Reply.text(200, YAML, YamlForm.write(export));
            }
            default -> throw ProblemException.invalid("/format", "there is no such format", "use json or yaml");
        };
    }

    /** Canonical JSON, document by document: objects of a large fleet are many times as large as its text. */
    private static String text(AsOf state, boolean tokens) {
        StringBuilder text = new StringBuilder("{\"documents\":[");
        int begin = text.length();
        entries(
                state,
                tokens,
                entry -> text.append(text.length() == begin ? "" : ",").append(CanonicalJson.text(entry)));
        return text.append("],\"")
                .append(MARK)
                .append("\":")
                .append(VERSION)
                .append('}')
                .toString();
    }

    private static void entries(AsOf state, boolean tokens, Consumer<ObjectNode> then) {
        for (TypeDefinition type : state.view().types().all()) {
            boolean shown = type.part() != TypeDefinition.Part.INTERNAL
                    && (tokens || !type.name().equals(Types.TOKEN));
            if (shown) {
                state.all(type.name()).forEach(document -> {
                    WorkBudget.current().check();
                    then.accept(entry(state, document));
                });
            }
        }
    }

    private static ObjectNode entry(AsOf state, Document document) {
        ObjectNode entry = StrictJson.object().put("type", document.type()).put("id", document.id());
        entry.set("spec", document.tree());
        if (document.type().equals(Types.CLUSTER)) {
            ClusterLife life = ClusterLife.of(state.view().document(Types.CLUSTER_LIFE, document.id()));
            if (!life.sameCourse(ClusterLife.NEWBORN)) {
                entry.set("life", ImportedLife.write(document.id(), life));
            }
        }
        return entry;
    }

    /** A token that was revoked here, or has expired, does not come back from an older export. */
    private void refuseRevival(List<Operation> operations) {
        List<String> gone = operations.stream()
                .filter(operation -> operation instanceof Operation.Create
                        && operation.key().type().equals(Types.TOKEN)
                        && !services.history()
                                .commitsOf(operation.key(), Long.MAX_VALUE, 1)
                                .isEmpty())
                .map(operation -> operation.key().toString())
                .toList();
        if (!gone.isEmpty()) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    String.join(", ", gone) + " was revoked or has expired here and is not brought back",
                    "leave it out, and make a new token",
                    gone);
        }
    }

    private Reply importing(Call call) {
        ObjectNode export = switch (Envelope.mediaType(call)) {
            case "application/json" -> call.json();
            case YAML, "application/x-yaml", "text/yaml" ->
                StrictJson.parseObject(YamlForm.read(call.body()).getBytes(StandardCharsets.UTF_8));
            default ->
                throw ProblemException.refused(
                        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                        "this is not a format that can be imported",
                        "send application/json or application/yaml");
        };
        Import read = Import.read(export, AsOf.present(call, services), call.flag("prune"));
        refuseRevival(read.operations());
        if (read.operations().isEmpty()) {
            return Reply.json(
                    200,
                    StrictJson.object()
                            .put("revision", services.snapshot().revision())
                            .put("unchanged", true));
        }
        WriteRequest request = desk.request(call, read.operations())
                .with(WriteRequest.Flag.IMPORTED)
                .marked(Map.of("import", "true"));
        return WriteDesk.changed(200, desk.write(request, read::place));
    }
}
