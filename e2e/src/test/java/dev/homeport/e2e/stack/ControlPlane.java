package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** etcd, kube-apiserver and kube-controller-manager of one cluster. There is no kubelet: nothing runs in it. */
final class ControlPlane implements AutoCloseable {
    static final String TOKEN = "admin-token";

    private final Path folder;
    private final int port;
    private final List<Daemon> daemons = new ArrayList<>();

    private ControlPlane(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static ControlPlane in(Path folder) {
        ControlPlane plane = new ControlPlane(Folders.made(folder), Ports.free());
        plane.start();
        return plane;
    }

    private void start() {
        Path key = folder.resolve("sa.key");
        Path publicKey = folder.resolve("sa.pub");
        Path tokens = folder.resolve("tokens.csv");
        Pki.writeSigningKeys(key, publicKey);
        write(tokens, TOKEN + ",admin,1,\"system:masters\"\n");
        write(kubeconfig(), """
                apiVersion: v1
                kind: Config
                current-context: it
                clusters: [{name: it, cluster: {server: "%s", certificate-authority: %s}}]
                users: [{name: admin, user: {token: %s}}]
                contexts: [{name: it, context: {cluster: it, user: admin}}]
                """.formatted(url(), authority(), TOKEN));
        String etcd = etcd();
        daemons.add(Daemon.start(
                        "kube-apiserver",
                        folder,
                        Map.of(),
                        List.of(
                                Folders.program("kube-apiserver"),
                                "--etcd-servers=" + etcd,
                                "--cert-dir=" + folder.resolve("certs"),
                                "--bind-address=127.0.0.1",
                                "--advertise-address=127.0.0.1",
                                "--secure-port=" + port,
                                "--service-cluster-ip-range=10.0.0.0/24",
                                "--allow-privileged=true",
                                "--disable-admission-plugins=ServiceAccount",
                                "--authorization-mode=RBAC",
                                "--token-auth-file=" + tokens,
                                "--service-account-issuer=" + url() + "/",
                                "--service-account-key-file=" + publicKey,
                                "--service-account-signing-key-file=" + key,
                                "--endpoint-reconciler-type=none"))
                .await(this::isReady));
        daemons.add(Daemon.start(
                "kube-controller-manager",
                folder,
                Map.of(),
                List.of(
                        Folders.program("kube-controller-manager"),
                        "--kubeconfig=" + kubeconfig(),
                        "--authentication-kubeconfig=" + kubeconfig(),
                        "--authorization-kubeconfig=" + kubeconfig(),
                        "--leader-elect=false",
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + Ports.free(),
                        "--cert-dir=" + folder.resolve("kcm-certs"),
                        "--service-account-private-key-file=" + key,
                        "--root-ca-file=" + authority(),
                        "--controllers=namespace-controller,garbage-collector-controller,serviceaccount-controller,"
                                + "clusterrole-aggregation-controller")));
    }

    private String etcd() {
        String clients = "http://127.0.0.1:" + Ports.free();
        String peers = "http://127.0.0.1:" + Ports.free();
        daemons.add(Daemon.start(
                        "etcd",
                        folder,
                        Map.of(),
                        List.of(
                                Folders.program("etcd"),
                                "--data-dir=" + folder.resolve("etcd"),
                                "--listen-client-urls=" + clients,
                                "--advertise-client-urls=" + clients,
                                "--listen-peer-urls=" + peers,
                                "--initial-advertise-peer-urls=" + peers,
                                "--initial-cluster=default=" + peers,
                                "--unsafe-no-fsync",
                                "--log-level=warn"))
                .await(() -> Http.plain().isOk(clients + "/health")));
        return clients;
    }

    /** The server makes its own certificate at the first start. */
    private boolean isReady() {
        return Files.exists(authority())
                && CertificateFile.client(authority())
                        .isOk(url() + "/readyz", Map.of("Authorization", "Bearer " + TOKEN));
    }

    String url() {
        return "https://127.0.0.1:" + port;
    }

    Path authority() {
        return folder.resolve("certs/apiserver.crt");
    }

    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        daemons.reversed().forEach(Daemon::kill);
    }
}
