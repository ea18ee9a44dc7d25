package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that change while the server runs. */
@OutsideIn
class ReloadTest {
    @TempDir
    Path folder;

    /** Something that a test waits for. */
    private interface Check {
        boolean holds() throws IOException;
    }

    private static void await(String what, Check check) throws Exception {
        Instant end = Instant.now().plusSeconds(60);
        while (!check.holds()) {
            assertThat(Instant.now()).as(what).isBefore(end);
            Thread.sleep(100);
        }
    }

    private static String served(TlsFleet fleet, boolean admin) throws IOException {
        return fleet.client
                .get(admin ? fleet.admin() : fleet.poll(), "/health", "")
                .expect(200)
                .served()
                .getSubjectX500Principal()
                .getName();
    }

    private static void awaitServed(TlsFleet fleet, String name) throws Exception {
        await(
                name,
                () -> served(fleet, false).equals("CN=" + name)
                        && served(fleet, true).equals("CN=" + name));
    }

    @Test
    void aNewCertificateIsServedUnderLoadAndNoPollFails() throws Exception {
        try (TlsFleet fleet = new TlsFleet(folder, Map.of("--poll-rate", "0"))) {
            fleet.cluster("mine");
            String token = fleet.token("mine");
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger polls = new AtomicInteger();
            Queue<Object> failed = new ConcurrentLinkedQueue<>();
            List<Thread> load = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                load.add(Thread.ofPlatform().start(() -> {
                    while (!stop.get()) {
                        try {
                            fleet.client
                                    .get(fleet.poll(), TlsFleet.path("mine"), token)
                                    .expect(200);
                            polls.incrementAndGet();
                        } catch (IOException | AssertionError e) {
                            failed.add(e);
                        }
                    }
                }));
            }
            try (SSLSocket open = fleet.client.open(fleet.poll())) {
                TlsClient.send(open, "GET", TlsFleet.path("mine"), token, "", "")
                        .expect(200);
                for (String name : List.of("second", "third", "fourth")) {
                    int before = polls.get();
                    // One file after the other, as scripts do it: between the two nothing fits.
                    Authority.Issued next = fleet.authority.server(name);
                    Files.writeString(fleet.certificate, next.certificatePem());
                    Thread.sleep(200);
                    Files.writeString(fleet.key, next.keyPem());
                    awaitServed(fleet, name);
                    await("more polls", () -> polls.get() > before + 20);
                    TlsClient.send(open, "GET", TlsFleet.path("mine"), token, "", "")
                            .expect(200);
                }
            } finally {
                stop.set(true);
                for (Thread thread : load) {
                    thread.join();
                }
            }
            assertThat(failed).isEmpty();
            assertThat(polls.get()).isGreaterThan(60);
            assertThat(fleet.metric("homeport_tls_reloads_total")).endsWith(" 3.0");
            assertThat(fleet.metric("homeport_tls_reload_failing")).endsWith(" 0.0");
            assertThat(fleet.metric("homeport_tls_handshake_failures_total")).endsWith(" 0.0");
        }
    }

    @Test
    void whatIsBrokenChangesNothingAndIsSeen() throws Exception {
        try (TlsFleet fleet = new TlsFleet(folder, Map.of())) {
            Authority.Issued next = fleet.authority.server("next");
            Authority.Issued old = fleet.authority.server(
                    "old", Authority.pair("EC", 256), Instant.now().minus(Duration.ofHours(2)), Duration.ofHours(1));
            List<Check> breaking = List.of(
                    () -> Files.writeString(fleet.certificate, "") != null,
                    () -> Files.writeString(fleet.certificate, next.certificatePem()) != null, // with the first's key
                    () -> Files.deleteIfExists(fleet.key),
                    () -> {
                        old.write(fleet.certificate, fleet.key);
                        return true;
                    });
            for (Check broken : breaking) {
                assertThat(broken.holds()).isTrue();
                await(
                        "noticed",
                        () -> fleet.metric("homeport_tls_reload_failing").endsWith(" 1.0"));
                assertThat(served(fleet, false)).isEqualTo("CN=first");
                assertThat(served(fleet, true)).isEqualTo("CN=first");
                fleet.client.get(fleet.poll(), "/ready", "").expect(200);
            }
            next.write(fleet.certificate, fleet.key);
            awaitServed(fleet, "next");
            assertThat(fleet.metric("homeport_tls_reload_failing")).endsWith(" 0.0");
        }
    }

    /** How a kubelet updates a mounted secret: a new folder, and a link to it that is replaced in one step. */
    @Test
    void aSwappedLinkIsNoticed() throws Exception {
        Authority authority = new Authority("servers");
        Path mount = Files.createDirectory(folder.resolve("mount"));
        Path certificate = mount.resolve("tls.crt");
        Path key = mount.resolve("tls.key");
        swap(mount, "one", authority.server("one"));
        Files.createSymbolicLink(certificate, Path.of("..data", "tls.crt"));
        Files.createSymbolicLink(key, Path.of("..data", "tls.key"));
        try (var server = dev.homeport.server.TestServer.in(folder, TlsFleet.flags(certificate, key, Map.of()))) {
            TlsClient client = TlsClient.trusting(authority);
            for (String name : List.of("two", "three")) {
                swap(mount, name, authority.server(name));
                await(
                        name,
                        () -> client.get(server.running().poll().orElseThrow(), "/health", "")
                                .served()
                                .getSubjectX500Principal()
                                .getName()
                                .equals("CN=" + name));
            }
        }
    }

    private static void swap(Path mount, String name, Authority.Issued issued) throws IOException {
        Path version = Files.createDirectory(mount.resolve("..version-" + name));
        issued.write(version.resolve("tls.crt"), version.resolve("tls.key"));
        Path link = Files.createSymbolicLink(mount.resolve("..data_tmp"), version.getFileName());
        Files.move(link, mount.resolve("..data"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void anotherAuthorityForClientsIsTakenToo() throws Exception {
        Authority before = new Authority("before");
        Authority after = new Authority("after");
        Map<String, String> flags = new HashMap<>(TlsFleet.clients(folder, before));
        try (TlsFleet fleet = new TlsFleet(folder, flags)) {
            fleet.cluster("mine");
            var name = Authority.uri("spiffe://homeport/cluster/mine");
            TlsClient old = TlsClient.showing(fleet.authority, before.client("x", name));
            TlsClient young = TlsClient.showing(fleet.authority, after.client("x", name));
            assertThat(isServed(fleet, old)).isTrue();
            assertThat(isServed(fleet, young)).isFalse();
            Files.writeString(folder.resolve("clients.crt"), before.pem() + after.pem());
            await("both", () -> isServed(fleet, young));
            assertThat(isServed(fleet, old)).isTrue();
            Files.writeString(folder.resolve("clients.crt"), after.pem());
            await("the new one alone", () -> !isServed(fleet, old));
            assertThat(isServed(fleet, young)).isTrue();
        }
    }

    private static boolean isServed(TlsFleet fleet, TlsClient client) {
        try {
            return client.get(fleet.poll(), TlsFleet.path("mine"), "").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
