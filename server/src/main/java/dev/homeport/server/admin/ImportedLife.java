package dev.homeport.server.admin;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.Stamp;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.problem.ProblemException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What people decided about a cluster, in an export: that it leaves, is detached or is paused, and with which answers. The
 * proofs for empty answers stay behind, since they name revisions of another log; the import's own plan makes new ones.
 */
final class ImportedLife {
    private static final List<String> ONLY_HERE = List.of("id", "since", "filled", "emptied", "unserved");

    private ImportedLife() {}

    static ObjectNode write(String cluster, ClusterLife life) {
        ObjectNode json = ClusterLifeForm.write(cluster, life).tree();
        json.remove(ONLY_HERE);
        return json;
    }

    static ClusterLife read(String cluster, ObjectNode json, String pointer) {
        ObjectNode body = json.deepCopy();
        body.remove(ONLY_HERE);
        body.put("id", cluster);
        body.putArray("filled");
        Stamp nobody = new Stamp(0, 0, Instant.EPOCH, "", "");
        try {
            return ClusterLife.of(Document.of(ClusterLifeForm.key(cluster), Body.of(body), nobody, nobody));
        } catch (IllegalArgumentException | NullPointerException | ClassCastException | DateTimeException e) {
            throw wrong(pointer);
        } catch (tools.jackson.core.JacksonException e) {
            throw wrong(pointer);
        }
    }

    private static ProblemException wrong(String pointer) {
        return ProblemException.invalid(pointer, "this is not a cluster's life", "send it as an export has it");
    }
}
