package dev.homeport.e2e.stack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An OCI registry, and how to push to it. */
public final class Registry implements AutoCloseable {
    private static final String FLUX_CONFIG = "application/vnd.cncf.flux.config.v1+json";
    private static final String FLUX_LAYER = "application/vnd.cncf.flux.content.v1.tar+gzip";
    private static final String HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json";
    private static final String HELM_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
    private static final String COSIGN_LAYER = "application/vnd.dev.cosign.simplesigning.v1+json";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    private final Daemon daemon;
    private final int port;

    private Registry(Daemon daemon, int port) {
        this.daemon = daemon;
        this.port = port;
    }

    static Registry in(Path folder) {
        int port = Ports.free();
        Daemon daemon = Daemon.start(
                "registry",
                folder,
                Map.of(),
                List.of(
                        Folders.program("crane"),
                        "registry",
                        "serve",
                        "--address",
                        "127.0.0.1:" + port,
                        "--disk",
                        Folders.made(folder.resolve("blobs")).toString()));
        daemon.await(() -> Http.plain().isOk("http://127.0.0.1:" + port + "/v2/"));
        return new Registry(daemon, port);
    }

    /** Where a repository is, as a component names it. */
    public String url(String repository) {
        return "oci://127.0.0.1:" + port + "/" + repository;
    }

    /** Pushes files as a Flux artifact. */
    public void artifact(String repository, String tag, Map<String, String> files) {
        pushed(repository, tag, files);
    }

    /** The same, and signs it. */
    public void signedArtifact(String repository, String tag, Map<String, String> files, Signer signer) {
        String digest = pushed(repository, tag, files);
        byte[] claim = Signer.claim("127.0.0.1:" + port + "/" + repository, digest);
        ObjectNode layer = descriptor(COSIGN_LAYER, claim);
        layer.putObject("annotations").put("dev.cosignproject.cosign/signature", signer.signatureOf(claim));
        push(
                repository,
                digest.replace(':', '-') + ".sig",
                "application/vnd.oci.image.config.v1+json",
                """
                {"architecture":"","os":"","config":{},"rootfs":{"type":"layers","diff_ids":["%s"]}}""".formatted(digest(claim)).getBytes(StandardCharsets.UTF_8),
                layer,
                claim);
    }

    /** Returns the digest of the manifest. */
    private String pushed(String repository, String tag, Map<String, String> files) {
        byte[] layer = tarGzip("", files);
        return push(
                repository,
                tag,
                FLUX_CONFIG,
                "{}".getBytes(StandardCharsets.UTF_8),
                descriptor(FLUX_LAYER, layer),
                layer);
    }

    /** Pushes a chart; the files are its templates and values, the name is the last part of the repository. */
    public void chart(String repository, String version, Map<String, String> files) {
        String name = repository.substring(repository.lastIndexOf('/') + 1);
        ObjectNode chart = JsonMapper.shared()
                .createObjectNode()
                .put("apiVersion", "v2")
                .put("name", name)
                .put("version", version);
        Map<String, String> all = new TreeMap<>(files);
        all.put("Chart.yaml", chart.toString());
        byte[] layer = tarGzip(name + "/", all);
        push(
                repository,
                version,
                HELM_CONFIG,
                chart.toString().getBytes(StandardCharsets.UTF_8),
                descriptor(HELM_LAYER, layer),
                layer);
    }

    private String push(
            String repository, String tag, String configType, byte[] config, ObjectNode described, byte[] layer) {
        blob(repository, config);
        blob(repository, layer);
        ObjectNode manifest =
                JsonMapper.shared().createObjectNode().put("schemaVersion", 2).put("mediaType", MANIFEST);
        manifest.set("config", descriptor(configType, config));
        manifest.putArray("layers").add(described);
        byte[] bytes = manifest.toString().getBytes(StandardCharsets.UTF_8);
        Http.plain()
                .send(
                        "PUT",
                        "http://127.0.0.1:" + port + "/v2/" + repository + "/manifests/" + tag,
                        bytes,
                        Map.of("Content-Type", MANIFEST))
                .expect(201);
        return digest(bytes);
    }

    private static ObjectNode descriptor(String type, byte[] content) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("mediaType", type)
                .put("digest", digest(content))
                .put("size", content.length);
    }

    private void blob(String repository, byte[] content) {
        String base = "http://127.0.0.1:" + port;
        Http.Answer upload = Http.plain()
                .send("POST", base + "/v2/" + repository + "/blobs/uploads/", new byte[0], Map.of())
                .expect(202);
        String location = upload.header("Location");
        String target = location.startsWith("http") ? location : base + location;
        Http.plain()
                .send(
                        "PUT",
                        target + (target.contains("?") ? "&" : "?") + "digest=" + digest(content),
                        content,
                        Map.of("Content-Type", "application/octet-stream"))
                .expect(201);
    }

    private static String digest(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] tarGzip(String prefix, Map<String, String> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
                byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
                out.write(tarHeader(prefix + file.getKey(), content.length));
                out.write(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
            }
            out.write(new byte[1024]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The old form of POSIX, which everything reads. */
    private static byte[] tarHeader(String name, int size) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, "%011o".formatted(size));
        put(header, 136, "00000000000");
        put(header, 148, "        ");
        header[156] = '0';
        put(header, 257, "ustar");
        put(header, 263, "00");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, "%06o".formatted(sum));
        header[154] = 0;
        header[155] = ' ';
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    @Override
    public void close() {
        daemon.kill();
    }
}
