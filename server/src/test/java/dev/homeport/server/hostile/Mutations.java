package dev.homeport.server.hostile;

import dev.homeport.json.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Ways to spoil a good request. Each result is wrong for certain, or nothing when the way does not fit the request. */
final class Mutations {
    /** Objects in which any field is welcome, or which are schemas. */
    private static final Set<String> OPEN = Set.of("labels", "annotations", "schema", "patches", "values");

    private static final String MERGE = "application/merge-patch+json";

    private final Random random;
    private final ApiDocument api;

    Mutations(Random random, ApiDocument api) {
        this.random = random;
        this.api = api;
    }

    /** A way to spoil a request. */
    @FunctionalInterface
    interface Way {
        @Nullable
        Request spoil(Request request);
    }

    record Named(String name, int weight, Way way) {}

    /** With how often each is tried; what ends before any validation is rare. */
    List<Named> all() {
        return List.of(
                new Named("wrong type", 14, this::wrongType),
                new Named("missing field", 8, this::missing),
                new Named("extra field", 8, this::extra),
                new Named("huge string", 3, this::hugeString),
                new Named("deep nesting", 5, this::deep),
                new Named("hostile unicode", 12, this::hostileText),
                new Named("hostile key", 5, this::hostileKey),
                new Named("odd number", 4, this::oddNumber),
                new Named("duplicate key", 4, this::duplicateKey),
                new Named("truncated", 6, this::truncated),
                new Named("garbage behind", 3, this::garbageBehind),
                new Named("bad utf-8", 4, this::badUtf8),
                new Named("another root", 4, this::anotherRoot),
                new Named("content type", 5, this::contentType),
                new Named("truncated gzip", 3, this::truncatedGzip),
                new Named("hostile yaml", 10, this::hostileYaml),
                new Named("huge body", 1, this::hugeBody),
                new Named("unknown parameter", 6, this::unknownParameter),
                new Named("parameter twice", 5, this::parameterTwice),
                new Named("bad parameter", 14, this::badParameter),
                new Named("bad header", 8, this::badHeader),
                new Named("precondition", 5, this::precondition),
                new Named("path", 4, this::path),
                new Named("method", 2, this::method),
                new Named("no such document", 3, this::noSuchDocument));
    }

    private boolean isJson(Request request) {
        return request.body().length > 0;
    }

    private boolean isRoot(Request request) {
        return request.operation().startsWith("root_");
    }

    private boolean isMerge(Request request) {
        return MERGE.equals(request.headers().get("Content-Type"));
    }

    // ---- bodies

    private record Leaf(JsonNode parent, String name, int index, JsonNode value) {
        void set(JsonNode other) {
            if (parent instanceof ObjectNode object) {
                object.set(name, other);
            } else {
                ((ArrayNode) parent).set(index, other);
            }
        }
    }

    private List<Leaf> leaves(JsonNode node) {
        List<Leaf> found = new ArrayList<>();
        leaves(node, found);
        return found;
    }

    private void leaves(JsonNode node, List<Leaf> found) {
        if (node instanceof ObjectNode object) {
            object.forEachEntry((name, value) -> {
                if (!name.equals("schema")) {
                    add(new Leaf(object, name, 0, value), found);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                add(new Leaf(array, "", i, array.get(i)), found);
            }
        }
    }

    private void add(Leaf leaf, List<Leaf> found) {
        if (leaf.value().isContainer()) {
            leaves(leaf.value(), found);
        } else {
            found.add(leaf);
        }
    }

    private List<ObjectNode> closed(JsonNode node) {
        List<ObjectNode> found = new ArrayList<>();
        closed(node, found);
        return found;
    }

    private void closed(JsonNode node, List<ObjectNode> found) {
        if (node instanceof ObjectNode object) {
            found.add(object);
            object.forEachEntry((name, value) -> {
                if (!OPEN.contains(name)) {
                    closed(value, found);
                }
            });
        } else {
            node.forEach(child -> closed(child, found));
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private @Nullable Request onLeaf(Request request, String json) {
        if (!isJson(request)) {
            return null;
        }
        ObjectNode body = StrictJson.read(request.body());
        List<Leaf> leaves = leaves(body);
        if (leaves.isEmpty()) {
            return null;
        }
        any(leaves).set(StrictJson.object().stringNode("@@HERE@@"));
        return request.sending(body.toString().replace("\"@@HERE@@\"", json).getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Request onText(Request request, String insert) {
        if (!isJson(request)) {
            return null;
        }
        ObjectNode body = StrictJson.read(request.body());
        List<Leaf> texts =
                leaves(body).stream().filter(leaf -> leaf.value().isString()).toList();
        if (texts.isEmpty()) {
            return null;
        }
        Leaf leaf = any(texts);
        leaf.set(body.stringNode(leaf.value().stringValue() + "@@HERE@@"));
        return request.sending(body.toString().replace("@@HERE@@", insert).getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Request wrongType(Request request) {
        List<String> wrong = new ArrayList<>(List.of("{\"x\":1}", "[[]]", "{}", "[7]", "1.5", "[null]"));
        if (!isMerge(request) && !isRoot(request)) {
            wrong.add("null"); // there it means something
        }
        return onLeaf(request, any(wrong));
    }

    private @Nullable Request missing(Request request) {
        if (!isJson(request) || isMerge(request) || request.operation().endsWith("_update")) {
            return null;
        }
        ObjectNode body = StrictJson.read(request.body());
        List<String> required = api.required(request.operation(), body);
        if (required.isEmpty()) {
            return null;
        }
        String pointer = any(required);
        int end = pointer.lastIndexOf('/');
        if (!(body.at(pointer.substring(0, end)) instanceof ObjectNode parent)
                || parent.remove(pointer.substring(end + 1)) == null) {
            return null;
        }
        return request.sending(body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Request extra(Request request) {
        return addField(request, any(List.of("surprise", "ID", "Spec", "__proto__", "constructor", "id ", "$ref")));
    }

    private @Nullable Request hostileKey(Request request) {
        return addField(request, any(List.of("\\u0000", "\\ud800", "a\\u202eb", "\\uffff", "x".repeat(70_000), "")));
    }

    private @Nullable Request addField(Request request, String name) {
        if (!isJson(request) || isRoot(request)) {
            return null; // root paths ignore what they do not know
        }
        ObjectNode body = StrictJson.read(request.body());
        any(closed(body)).put("@@HERE@@", 1);
        return request.sending(body.toString().replace("@@HERE@@", name).getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Request hugeString(Request request) {
        return onText(request, "x".repeat(66_000));
    }

    private @Nullable Request deep(Request request) {
        int depth = any(List.of(40, 1_000, 20_000));
        return onLeaf(
                request,
                random.nextBoolean()
                        ? "[".repeat(depth) + "]".repeat(depth)
                        : "{\"a\":".repeat(depth) + "1" + "}".repeat(depth));
    }

    private @Nullable Request hostileText(Request request) {
        return onText(
                request,
                any(List.of(
                        "\\u0000",
                        "\\u0007",
                        "\\u001b[31m",
                        "\\u007f",
                        "\\u0085",
                        "\\ud800",
                        "\\udc00x",
                        "\\ufffe",
                        "\\uffff",
                        "\u0001",
                        "\r\n---\n")));
    }

    private @Nullable Request oddNumber(Request request) {
        return onLeaf(
                request,
                any(List.of(
                        "1e999", "-1e999", "123456789012345678901234567890", "NaN", "Infinity", "0x10", "01", "+1")));
    }

    private @Nullable Request duplicateKey(Request request) {
        if (!isJson(request)) {
            return null;
        }
        ObjectNode body = StrictJson.read(request.body());
        ObjectNode object = any(closed(body));
        if (object.isEmpty()) {
            return null;
        }
        String name = object.propertyNames().iterator().next();
        object.put("@@HERE@@", 1);
        return request.sending(body.toString().replace("@@HERE@@", name).getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Request truncated(Request request) {
        return isJson(request)
                ? request.sending(Arrays.copyOf(request.body(), 1 + random.nextInt(request.body().length - 1)))
                : null;
    }

    private @Nullable Request garbageBehind(Request request) {
        return isJson(request)
                ? request.sending((request.text() + any(List.of("}", "x", "{}", ",", "\u0000", "# no", "// no")))
                        .getBytes(StandardCharsets.UTF_8))
                : null;
    }

    private @Nullable Request badUtf8(Request request) {
        Request marked = onText(request, "@@BYTES@@");
        if (marked == null) {
            return null;
        }
        byte[] wrong = any(List.of(
                new byte[] {(byte) 0xC3, 0x28},
                new byte[] {(byte) 0xFF},
                new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
                new byte[] {(byte) 0xC0, (byte) 0xAF},
                new byte[] {(byte) 0xF8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80}));
        String text = new String(marked.body(), StandardCharsets.ISO_8859_1);
        return marked.sending(text.replace("@@BYTES@@", new String(wrong, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private @Nullable Request anotherRoot(Request request) {
        return isJson(request)
                ? request.sending(any(List.of("[]", "null", "7", "\"text\"", "true", "[{}]", " ", "{{}}"))
                        .getBytes(StandardCharsets.UTF_8))
                : null;
    }

    private @Nullable Request contentType(Request request) {
        if (!isJson(request)) {
            return null;
        }
        return random.nextInt(5) == 0
                ? request.without("Content-Type")
                : request.with(
                        "Content-Type",
                        any(List.of(
                                "text/plain",
                                "application/xml",
                                "application/x-www-form-urlencoded",
                                "multipart/form-data; boundary=x",
                                "json",
                                "application/jsonx",
                                ";",
                                "*/*")));
    }

    private @Nullable Request truncatedGzip(Request request) {
        if (!isJson(request)) {
            return null;
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(request.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] half = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
        return request.sending(half).with("Content-Encoding", "gzip");
    }

    private @Nullable Request hugeBody(Request request) {
        if (!isJson(request) || request.kind().equals("importFleet") || random.nextInt(4) > 0) {
            return null;
        }
        return onText(request, "x".repeat(9 * 1024 * 1024));
    }

    private @Nullable Request hostileYaml(Request request) {
        if (!request.kind().equals("importFleet")) {
            return null;
        }
        String document = "  - {type: namespace, id: yaml-ns, spec: {owner: team-a}}\n";
        String head = "homeport_export: 1\ndocuments:\n";
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ",").repeat(8) + "*a" + (i - 1) + "]\n");
        }
        String yaml = any(List.of(
                bomb + head + document,
                "homeport_export: &x 1\ndocuments:\n" + document,
                head + "  - &d {type: namespace, id: yaml-ns, spec: {owner: team-a}}\n  - *d\n",
                head + "  - !!java.net.URL {type: namespace, id: yaml-ns, spec: {}}\n",
                head + "  - {type: !!str namespace, id: yaml-ns, spec: {owner: team-a}}\n",
                "%YAML 1.1\n%TAG ! tag:x,2000:\n---\n" + head + "  - !y {type: namespace, id: yaml-ns, spec: {}}\n",
                head + "  - {<<: {type: namespace}, id: yaml-ns, spec: {owner: team-a}}\n",
                head + document + "---\n" + head + document,
                head + "  - {type: namespace, type: namespace, id: yaml-ns, spec: {owner: team-a}}\n",
                head + "  - {type: namespace, id: yaml-ns, spec: {owner: " + "[".repeat(500) + "]".repeat(500) + "}}\n",
                head + "  - {type: namespace, id: on, spec: {}}\n",
                head + "  - {type: namespace, id: 12e3, spec: {}}\n",
                head + "  - {type: namespace, id: yaml-ns, spec: {owner: 2001-01-01, stateful: maybe}}\n",
                head + "  - {type: namespace, id: yaml-ns, spec: {owner: \"\\0\"}}\n",
                head + "\t- tab\n",
                head + "  - ? {a: b}\n    : c\n",
                "homeport_export: 1\ndocuments: " + "{a: ".repeat(300) + "}".repeat(300),
                "&a [*a]",
                "*nobody",
                "!!binary aGVsbG8=",
                "? ",
                "- - - -",
                "\u0000",
                "homeport_export: 1\ndocuments: |\n  text\n",
                head + "  - {type: namespace, id: yaml-ns, spec: {owner: \"\ud83d\ude00\u202e\"}}\n"));
        return request.sending(yaml.getBytes(StandardCharsets.UTF_8)).with("Content-Type", "application/yaml");
    }

    // ---- around the body

    private @Nullable Request unknownParameter(Request request) {
        if (!api.isStrict(request.operation())) {
            return null;
        }
        return request.asking(
                any(List.of("dryrun=true", "DRY_RUN=true", "x=1", "%00=1", "limitt=1", "dry_run%20=true", "=1")));
    }

    private @Nullable Request parameterTwice(Request request) {
        List<String> names = api.query(request.operation());
        if (!api.isStrict(request.operation()) || names.isEmpty()) {
            return null;
        }
        String name = any(names);
        return request.asking(name + "=1&" + name + "=1");
    }

    private @Nullable Request badParameter(Request request) {
        if (!api.isStrict(request.operation()) && !request.operation().equals("poll_clusters")) {
            return null;
        }
        List<String> names = api.query(request.operation()).stream()
                .filter(name -> !request.query().contains(name + "="))
                .toList();
        if (names.isEmpty()) {
            return null;
        }
        String name = any(names);
        return switch (name) {
            case "page_size" -> request.asking(name + "=" + any(List.of("-1", "x", "1.5", "99999999999999999999", "")));
            case "page_token" ->
                request.asking(name + "=" + any(List.of("%00", "@", "AAAA" + "A".repeat(900), "w4g", "====", "%F0")));
            case "as_of" ->
                request.asking(name + "="
                        + any(List.of("-1", "0", "tomorrow", "99999999", "2999-01-01T00:00:00Z", "1e3", "")));
            case "filter" ->
                request.asking(name + "="
                        + any(List.of(
                                "((((",
                                "id%20%3D",
                                "nosuchfield%20%3D%201",
                                "id%20%3D%20x%20and",
                                "%28".repeat(2000),
                                "not%20".repeat(1000),
                                "id%20~%20%22((((%22",
                                "%00")));
            case "label_selector" ->
                request.asking(name + "=" + any(List.of("((", "a%3D%3D%3Db", "%21%21", "a%20in%20(", "a%20in%20()")));
            case "facets" -> request.asking(name + "=" + any(List.of("nosuch", "a,".repeat(50), ",", "%00")));
            case "format", "shape", "type", "kind", "severity", "layout" ->
                name.equals("type") && request.operation().equals("listChanges") // types that are gone have a past
                        ? request.asking("type=%00")
                        : request.asking(name + "=" + any(List.of("xml", "", "%00", "JSON")));
            case "reason" -> request.asking(name + "=" + any(List.of("%00", "x".repeat(2000), "%1b", "%e2%80%ae")));
            case "since", "until", "at" ->
                request.asking(name + "=" + any(List.of("yesterday", "1", "2026-13-01T00:00:00Z", "")));
            case "revision" -> request.asking(name + "=" + any(List.of("0", "-1", "x", "99999999")));
            case "confirmation", "actor", "text", "id", "cluster" ->
                api.isStrict(request.operation()) ? request.asking(name + "=" + any(List.of("%00", "a%01b"))) : null;
            case "branch" -> request.asking("branch=" + any(List.of("%20", "..%2f", "-x", "a%00")));
            case "environment" -> null; // any text is possible
            default -> request.asking(name + "=" + any(List.of("yes", "1", "", "TRUE", "null", "%00")));
        };
    }

    private @Nullable Request badHeader(Request request) {
        boolean writes = api.headers(request.operation()).contains("Homeport-Reason");
        if (!writes) {
            return null;
        }
        boolean keyed = api.headers(request.operation()).contains("Idempotency-Key");
        return switch (random.nextInt(keyed ? 3 : 1)) {
            case 0 ->
                request.query().contains("reason") || request.text().contains("\"reason\":\"r\"")
                        ? null
                        : request.with("Homeport-Reason", "x".repeat(1500));
            case 1 -> request.with("Idempotency-Key", any(List.of("a b", "x".repeat(300), "\u00e9")));
            default -> request.with("Idempotency-Key", "");
        };
    }

    private @Nullable Request precondition(Request request) {
        if (!request.headers().containsKey("If-Match")) {
            return null;
        }
        return random.nextInt(4) == 0
                ? request.without("If-Match")
                : request.with(
                        "If-Match",
                        any(List.of("W/\"1-1\"", "\"\"", "\"1\"", "1-1", "\"99-99\"", "\"1-1\", \"2-2\"", "**", ",")));
    }

    private Request path(Request request) {
        String path = request.path();
        boolean slashed = request.operation().equals("poll_clusters"); // there a slash at the end is welcome
        return switch (slashed ? 1 : random.nextInt(8)) {
            case 0 -> request.at(path + "/");
            case 1 -> request.at(path.substring(0, 1) + "/" + path.substring(1));
            case 2 -> request.at(path + "%00");
            case 3 -> request.at(path + "%zz");
            case 4 -> request.at(path + "x".repeat(3000));
            case 5 -> request.at(path + "/../../nothing");
            case 6 -> request.at(path.toUpperCase(java.util.Locale.ROOT));
            default -> request.at(path + "%2f..%2f..");
        };
    }

    private @Nullable Request method(Request request) {
        String method = any(List.of("TRACE", "PATCH", "PUT", "DELETE", "POST", "CONNECTX", "get"));
        return api.takes(request.operation(), method) ? null : request.by(method);
    }

    private @Nullable Request noSuchDocument(Request request) {
        String path = request.path();
        int colon = path.lastIndexOf(':');
        if (request.headers().containsKey("If-Match")) {
            return request.at(path + "-nobody");
        }
        return colon < 0 || request.operation().startsWith("root_")
                ? null
                : request.at(path.substring(0, colon) + "-nobody" + path.substring(colon));
    }
}
