package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A question that clusters answer about one of their objects, read from its document.
 *
 * @param namespace {@link WitnessQuestion#CLUSTER_SCOPED} for an object without
 * @param expression CEL over the object
 * @param digest of object and expression: an answer to an earlier version of the question does not count for this one
 * @param passesAbsent whether it is passed where the object does not exist
 * @param severity of the finding where it fails
 * @param since when its document was last changed
 */
public record Probe(
        String id,
        String title,
        String apiVersion,
        String kind,
        String name,
        String namespace,
        String expression,
        String digest,
        boolean passesAbsent,
        String severity,
        Instant since) {

    private static final int DIGEST = 12;

    /** Those that a cluster is asked, ordered by id. A document that cannot be read asks nothing. */
    public static List<Probe> of(FleetView view, Document cluster) {
        List<Probe> probes = new ArrayList<>();
        for (Document document : view.probes()) {
            asked(document, cluster).ifPresent(probes::add);
        }
        return probes;
    }

    /** One of those. */
    static Optional<Probe> of(FleetView view, Document cluster, String id) {
        for (Document document : view.probes()) {
            if (document.id().equals(id)) {
                return asked(document, cluster);
            }
        }
        return Optional.empty();
    }

    private static Optional<Probe> asked(Document document, Document cluster) {
        if (document.fault().isPresent() || cluster.fault().isPresent()) {
            return Optional.empty();
        }
        ObjectNode body = document.tree();
        return isAsked(body, cluster)
                ? Optional.of(of(document.id(), body, document.updated().at()))
                : Optional.empty();
    }

    private static Probe of(String id, JsonNode body, Instant since) {
        JsonNode object = body.path("object");
        String expression = body.path("expression").asString("");
        ObjectNode asked = StrictJson.object().put("expression", expression);
        asked.set("object", object);
        return new Probe(
                id,
                body.path("title").asString(""),
                object.path("api_version").asString(""),
                object.path("kind").asString(""),
                object.path("name").asString(""),
                object.path("namespace").asString(WitnessQuestion.CLUSTER_SCOPED),
                expression,
                digest(CanonicalJson.text(asked)),
                body.path("if_absent").asString("").equals("passed"),
                body.path("severity").asString("warning"),
                since);
    }

    private static boolean isAsked(JsonNode probe, Document document) {
        Cluster cluster = Cluster.of(document);
        JsonNode scope = probe.path("scope");
        boolean inScope = scope.propertyStream().allMatch(entry -> switch (entry.getKey()) {
            case Types.ENVIRONMENT -> entry.getValue().asString("").equals(cluster.environment());
            case Types.WORKSPACE -> entry.getValue().asString("").equals(cluster.workspace());
            case Types.CLUSTER -> entry.getValue().asString("").equals(document.id());
            default -> true;
        });
        JsonNode wanted = probe.path("labels");
        if (!inScope || wanted.isEmpty()) {
            return inScope;
        }
        JsonNode labels = document.tree().path("labels");
        return wanted.propertyStream().allMatch(entry -> entry.getValue().equals(labels.path(entry.getKey())));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
