package dev.homeport.bench.attack;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What an attacker sends. Batches and imports carry a token that may do them: the server has to limit those as well. */
final class Requests {
    private static final int SELECTORS = 300;
    private static final int DOCUMENTS = 4_000;
    private static final String NO_SIGNATURE = "sha256=" + "0".repeat(64);

    /** A head that is answered while something of the request is unread, parts of a head, and nothing. */
    private static final List<String> CUT_SHORT = List.of(
            "GET / HTTP/1.1\n\n",
            "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab",
            "POST /api/v2/flux/clusters/c-0.example.com/events HTTP/1.1\r\nHost: x\r\nX-Signature: " + NO_SIGNATURE
                    + "\r\nContent-Length: 99999999\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /hea",
            "");

    private final AttackTarget target;
    private final byte[] batch;
    private final byte[] documents;

    Requests(AttackTarget target) {
        this.target = target;
        String operations = IntStream.range(0, SELECTORS)
                .mapToObj(i -> "{\"op\":\"merge\",\"type\":\"cluster\",\"selector\":{\"filter\":\"labels.group = g" + i
                        + " or labels.group = h" + i + "\"},\"patch\":{\"owner\":\"x" + i + "\"}}")
                .collect(Collectors.joining(",", "{\"reason\":\"a flood\",\"operations\":[", "]}"));
        this.batch = authorized("POST", "/api/v2/changes?dry_run=true", operations);
        String many = IntStream.range(0, DOCUMENTS)
                .mapToObj(i -> "{\"type\":\"platform_component\",\"id\":\"flood-" + i
                        + "\",\"spec\":{\"component_path\":\"apps/flood\",\"component_version\":\"1.0.0\",\"kind\":\"kustomize\","
                        + "\"oci_url\":\"oci://registry.example.com/flood-" + i + "\",\"oci_tag\":\"1.0.0\"}}")
                .collect(Collectors.joining(",", "{\"homeport_export\":1,\"documents\":[", "]}"));
        this.documents = authorized("POST", "/api/v2/import?dry_run=true&reason=a%20flood", many);
    }

    private byte[] authorized(String method, String path, String body) {
        return (method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + target.token()
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                        + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] cutShort(int number) {
        return CUT_SHORT.get(number % CUT_SHORT.size()).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A body that is announced and does not come: an event on the poll plane, a document on the admin plane. */
    byte[] announced(int number) {
        String head = number % 3 == 2
                ? "POST /api/v2/clusters HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
                : "POST /api/v2/flux/clusters/c-" + number % AttackTarget.CLUSTERS
                        + ".example.com/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: "
                        + NO_SIGNATURE + "\r\nContent-Length: 200000\r\n\r\n";
        return head.getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] badEvent(int number) {
        String body = "{\"involvedObject\":{\"kind\":\"Kustomization\",\"namespace\":\"flux-system\",\"name\":\"part-"
                + number
                + "\"},\"severity\":\"info\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":\"" + "m".repeat(500)
                + "\",\"reason\":\"ReconciliationSucceeded\",\"metadata\":{\"component_id\":\"part-0\"}}";
        return ("POST /api/v2/flux/clusters/c-" + number % AttackTarget.CLUSTERS
                        + ".example.com/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: "
                        + NO_SIGNATURE + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n"
                        + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] selectorBatch() {
        return batch;
    }

    byte[] importing() {
        return documents;
    }
}
