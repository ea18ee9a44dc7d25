package dev.homeport.sim;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Events of one cluster in the shapes of Flux 2.9, as its notification-controller posts them. */
final class FluxEvents {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String NAMESPACE = "flux-system";

    private final Identity cluster;
    private long resourceVersion;

    FluxEvents(Identity cluster, long resourceVersion) {
        this.cluster = cluster;
        this.resourceVersion = resourceVersion;
    }

    /** Where an object stands: which answer made it, and for which component. */
    record Source(SimItem item, String digest) {}

    byte[] installed(Source source) {
        return release(source, "InstallSucceeded", "info", "Helm install succeeded for release " + chart(source));
    }

    byte[] upgraded(Source source) {
        return release(source, "UpgradeSucceeded", "info", "Helm upgrade succeeded for release " + chart(source));
    }

    byte[] uninstalled(Source source) {
        return release(
                source,
                "UninstallSucceeded",
                "info",
                "Helm uninstall succeeded for release " + chart(source) + ", all resources deleted");
    }

    byte[] failed(Source source, String cause) {
        return source.item().kind().equals("helm")
                ? release(
                        source,
                        "UpgradeFailed",
                        "error",
                        "Helm upgrade failed for release " + chart(source) + ": " + cause)
                : kustomization(source, "HealthCheckFailed", "error", cause);
    }

    /** What a Kustomization says after every reconcile. */
    byte[] reconciled(Source source) {
        return kustomization(
                source,
                "ReconciliationSucceeded",
                "info",
                "Reconciliation finished in " + (80 + resourceVersion % 900) + "ms, next run in 10m0s");
    }

    byte[] pruned(Source source) {
        String id = source.item().id();
        return kustomization(
                source,
                "ReconciliationSucceeded",
                "info",
                "Deployment/" + id + "/" + id + " deleted\nService/" + id + "/" + id + " deleted");
    }

    byte[] applied(String plural) {
        return ofType("ResourceSet", plural, "ApplySucceeded", "info", "homeport-" + plural + " configured");
    }

    byte[] buildFailed(String plural, String why) {
        return ofType("ResourceSet", plural, "BuildFailed", "error", "failed to build resources: " + why);
    }

    byte[] pollFailed(String plural, String why) {
        return ofType("ResourceSetInputProvider", plural, "ReconciliationFailed", "error", why);
    }

    /** Of a set that looks at objects and has found a difference. */
    byte[] waiting(WitnessSet set, String why) {
        ObjectNode event =
                event("ResourceSet", "fluxcd.controlplane.io/v1", set.id(), "DependencyNotReady", "info", why);
        ObjectNode questions = JsonMapper.shared().createObjectNode();
        set.questions().forEach(question -> questions.put(question.kind() + "/" + question.object(), question.id()));
        event.withObject("/metadata").put("witness", questions.toString());
        return ofOperator(event);
    }

    /** The artifact or chart version that Flux says it has. */
    static String revision(SimItem item) {
        return item.kind().equals("helm")
                ? item.tag() + "+" + hex(item.content()).substring(0, 12)
                : item.tag() + "@sha256:" + artifact(item);
    }

    static String artifact(SimItem item) {
        return hex(item.content()).repeat(4);
    }

    private static String chart(Source source) {
        String id = source.item().id();
        return id + "/" + id + ".v1 with chart " + id + "@" + source.item().tag();
    }

    private byte[] release(Source source, String reason, String severity, String message) {
        return component(source, "HelmRelease", "helm", "v2", reason, severity, message, revision(source.item()));
    }

    private byte[] kustomization(Source source, String reason, String severity, String message) {
        return component(
                source, "Kustomization", "kustomize", "v1", reason, severity, message, revision(source.item()));
    }

    private byte[] component(
            Source source,
            String kind,
            String group,
            String version,
            String reason,
            String severity,
            String message,
            String revision) {
        ObjectNode event = event(
                kind, group + ".toolkit.fluxcd.io/" + version, source.item().id(), reason, severity, message);
        event.withObject("/metadata")
                .put("revision", revision)
                .put("component_id", source.item().id())
                .put("answer_digest", source.digest())
                .put("desired_version", source.item().tag());
        event.put("reportingController", group + "-controller")
                .put("reportingInstance", group + "-controller-7c7b47f5f-8bhrp");
        return bytes(event);
    }

    private byte[] ofType(String kind, String plural, String reason, String severity, String message) {
        ObjectNode event = event(kind, "fluxcd.controlplane.io/v1", "homeport-" + plural, reason, severity, message);
        event.withObject("/metadata").put("answer_type", plural);
        return ofOperator(event);
    }

    private static byte[] ofOperator(ObjectNode event) {
        event.put("reportingController", "flux-operator").put("reportingInstance", "flux-operator-6f9d8c7b5d-x2x7k");
        return bytes(event);
    }

    private ObjectNode event(
            String kind, String apiVersion, String name, String reason, String severity, String message) {
        ObjectNode event = JsonMapper.shared().createObjectNode();
        String uid = UUID.nameUUIDFromBytes((cluster.id() + "/" + kind + "/" + name).getBytes(StandardCharsets.UTF_8))
                .toString();
        event.putObject("involvedObject")
                .put("kind", kind)
                .put("namespace", NAMESPACE)
                .put("name", name)
                .put("uid", uid)
                .put("apiVersion", apiVersion)
                .put("resourceVersion", Long.toString(++resourceVersion));
        event.put("severity", severity)
                .put("timestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("message", message)
                .put("reason", reason);
        event.putObject("metadata").put("cluster", cluster.id());
        return event;
    }

    private static byte[] bytes(ObjectNode event) {
        return event.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(long content) {
        return HexFormat.of().toHexDigits(content);
    }

    /** The header that a receiver checks. */
    String signature(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(cluster.eventKey().getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
