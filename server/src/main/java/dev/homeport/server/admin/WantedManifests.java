package dev.homeport.server.admin;

import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.fleet.Cluster;
import dev.homeport.flux.Bootstrap;
import dev.homeport.flux.BootstrapRequest;
import dev.homeport.flux.ClusterIdentity;
import dev.homeport.flux.ClusterSecrets;
import dev.homeport.flux.ManifestFiles;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request for the manifests that connect one cluster to Homeport. Errors of the request are reported when it is read,
 * before a token is issued.
 *
 * @param authority the certificate authority of the server's address, in PEM
 */
record WantedManifests(
        Services services,
        Document document,
        BootstrapRequest request,
        ClusterIdentity identity,
        Optional<String> authority) {

    static WantedManifests read(ObjectNode body, Document document, Services services) {
        BootstrapRequest request = BootstrapRequest.read(body, services.snapshot(), pollInterval(document));
        ClusterIdentity identity = ClusterIdentity.of(Cluster.of(document), url(request, services));
        Optional<String> authority = request.authority()
                .or(() -> services.settings().phoneNumber().authority().map(WantedManifests::authority));
        return new WantedManifests(services, document, request, identity, authority);
    }

    Cluster cluster() {
        return Cluster.of(document);
    }

    /** No token is made for a cluster that has a certificate. */
    boolean hasCertificate() {
        return request.choices().clientCertificate().isPresent();
    }

    /** Their format and files; with the token in them, or naming a certificate in its place. */
    ObjectNode with(Optional<TokenText> token) {
        String eventKey =
                services.master().eventKey(document.id(), document.created().revision(), Cluster.eventKey(document));
        ClusterSecrets secrets = new ClusterSecrets(
                token.map(TokenText::reveal), eventKey, token.isPresent() ? authority : Optional.empty());
        List<ObjectNode> objects = Bootstrap.objects(identity, secrets, request.choices(), services.snapshot());
        ObjectNode json =
                StrictJson.object().put("format", request.format().name().toLowerCase(Locale.ROOT));
        ArrayNode list = json.putArray("files");
        ManifestFiles.of(request.format(), identity, request.choices(), objects)
                .forEach(file -> list.addObject().put("path", file.path()).put("content", file.content()));
        return json;
    }

    private static Optional<String> pollInterval(Document cluster) {
        return Optional.of(cluster.tree().path("poll_interval").stringValue("")).filter(text -> !text.isEmpty());
    }

    private static String url(BootstrapRequest request, Services services) {
        return request.url()
                .or(() -> services.settings().phoneNumber().url())
                .orElseThrow(() -> ProblemException.invalid(
                        "/url",
                        "it is not known under which address clusters reach this server",
                        "send url, or set poll_url on the server"));
    }

    /** Read at each use, so that a renewed authority needs no restart. */
    private static String authority(Path file) {
        try {
            String pem = Files.readString(file);
            if (BootstrapRequest.isAuthority(pem)) {
                return pem;
            }
        } catch (IOException e) {
            // said below
        }
        throw ProblemException.refused(
                ErrorCode.UNAVAILABLE,
                "the file that poll_ca names holds no certificates that can be read",
                "mend it on the server, or send ca_certificate");
    }
}
