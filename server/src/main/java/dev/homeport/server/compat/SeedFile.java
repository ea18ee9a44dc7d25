package dev.homeport.server.compat;

import dev.homeport.access.Actor;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Imports the file that flux-resourceset starts from: four lists of documents, whose ids may be spelled {@code _id}. */
public final class SeedFile {
    private SeedFile() {}

    /** In one commit, or not at all. Called only on request, never because a store is empty. */
    public static void load(Path file, Writer writer) {
        List<Operation> operations = operations(read(file));
        if (!operations.isEmpty()) {
            writer.write(WriteRequest.of(Actor.SYSTEM, "import of a seed file", operations)
                    .with(WriteRequest.Flag.IMPORTED));
        }
    }

    private static ObjectNode read(Path file) {
        try {
            return StrictJson.parseObject(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the seed file " + file + " cannot be read", e);
        }
    }

    private static List<Operation> operations(ObjectNode seed) {
        List<Operation> operations = new ArrayList<>();
        for (RootCollection collection : RootCollection.values()) {
            KnownFields known = new KnownFields(BuiltInTypes.catalog()
                    .named(collection.type())
                    .orElseThrow()
                    .schema());
            for (JsonNode document : seed.path(collection.path())) {
                if (!(document instanceof ObjectNode body)) {
                    throw ProblemException.invalid(
                            "/" + collection.path(), "this is not a list of documents", "give a list of objects");
                }
                if (!body.has("id") && body.has("_id")) {
                    body.set("id", body.get("_id"));
                }
                String id = body.path("id").asString("");
                operations.add(
                        new Operation.Create(new DocumentKey(collection.type(), id), collection.born(known.of(body))));
            }
        }
        return operations;
    }
}
