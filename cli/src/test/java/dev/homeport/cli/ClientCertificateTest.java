package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.terminal.ExitCodes;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that requires client certificates, and a command line that shows one. */
class ClientCertificateTest {
    private static final String PASSWORD = "password";

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void aServerThatRequiresCertificates() throws Exception {
        key("server", "EC", "-ext", "san=ip:127.0.0.1,dns:localhost");
        key("people", "EC", "-ext", "bc:c");
        key("ann", "EC", "-signer", "people");
        cli = new Cli(
                folder,
                Map.of(
                        "--tls-certificate", certificate("server").toString(),
                        "--tls-key",
                                pem("server.key", "PRIVATE KEY", secret("server"))
                                        .toString(),
                        "--admin-client-ca", certificate("people").toString()));
        certificate("ann");
        pem("ann.key", "PRIVATE KEY", secret("ann"));
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    @Test
    void everyRequestShowsTheCertificateOfTheContext() throws Exception {
        login("--client-certificate", "ann.crt", "--client-key", "ann.key").ok();
        assertThat(Files.readString(folder.resolve("config/homeport/config.yaml")))
                .contains(
                        folder.resolve("ann.crt").toString(),
                        folder.resolve("ann.key").toString());
        cli.run("adopt", "eu-1", "--env", "dev", "--owner", "team-a").ok();
        assertThat(cli.run("get", "clusters", "-o", "name").ok().out()).contains("eu-1");
        assertThat(cli.prepared("get", "clusters", "-o", "name").ok().out()).contains("eu-1");
        String last =
                cli.run("audit", "--limit", "1", "--jq", ".[0].revision").ok().out();
        String from = "1-" + (Long.parseLong(last.strip()) - 1);
        cli.run("events", "--from", from, "--count", "1").ok();
        assertThat(cli.run("context", "list", "-o", "json").ok().out()).contains("ann.crt");
        // It is still there after a sign-in that does not name it.
        login().ok();
        cli.run("whoami").ok();
        // It is for the context's server, by the name that it has there.
        cli.variables.put("HOMEPORT_TOKEN", cli.server.firstToken().orElseThrow());
        String other = address().replace("127.0.0.1", "localhost");
        Cli.Ran elsewhere = cli.run("whoami", "--server", other, "--certificate-authority", path("server.crt"));
        assertThat(elsewhere.fails(ExitCodes.UNREACHABLE).err()).contains("requires a client certificate");
        cli.variables.remove("HOMEPORT_TOKEN");
        cli.run("context", "set", "127.0.0.1", "client_certificate=", "client_key=")
                .ok();
        assertThat(cli.run("whoami").fails(ExitCodes.UNREACHABLE).err()).contains("requires a client certificate");
        cli.run("context", "set", "127.0.0.1", "client_certificate=ann.crt", "client_key=ann.key")
                .ok();
        cli.run("whoami").ok();
    }

    @Test
    void keysAreReadInEveryFormThatIsCommon() throws Exception {
        key("bob", "RSA", "-signer", "people");
        certificate("bob");
        pem("bob.key", "PRIVATE KEY", secret("bob"));
        pem("bob-1.key", "RSA PRIVATE KEY", inner(secret("bob")));
        pem("ann-1.key", "EC PRIVATE KEY", inner(secret("ann")));
        Files.writeString(
                folder.resolve("ann-2.key"),
                "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                        + Files.readString(folder.resolve("ann-1.key")));
        Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(folder.resolve("ann.key")) + Files.readString(folder.resolve("ann.crt")));
        String[][] pairs = {
            {"ann.crt", "ann.key"},
            {"ann.crt", "ann-1.key"},
            {"ann.crt", "ann-2.key"},
            {"both.pem", "both.pem"},
            {"bob.crt", "bob.key"},
            {"bob.crt", "bob-1.key"}
        };
        for (String[] pair : pairs) {
            cli.variables.put("HOMEPORT_CLIENT_CERTIFICATE", pair[0]);
            cli.variables.put("HOMEPORT_CLIENT_KEY", pair[1]);
            login().ok();
            cli.run("adopt", pair[1].replace('.', '-'), "--env", "dev", "--owner", "team-a")
                    .ok();
        }
        assertThat(Files.readString(folder.resolve("config/homeport/config.yaml")))
                .doesNotContain("client_key");
        // A flag comes before a variable.
        cli.variables.put("HOMEPORT_CLIENT_KEY", "none.key");
        login("--client-certificate", "ann.crt", "--client-key", "ann.key").ok();
        assertThat(cli.run("whoami").fails(ExitCodes.FAILED).err()).contains("none.key cannot be read");
        cli.variables.remove("HOMEPORT_CLIENT_KEY");
        assertThat(cli.run("whoami").fails(ExitCodes.USAGE).err())
                .contains("HOMEPORT_CLIENT_CERTIFICATE is set without HOMEPORT_CLIENT_KEY");
    }

    @Test
    void aServerThatRequiresACertificateNamesTheOption() throws Exception {
        assertThat(login().fails(ExitCodes.UNREACHABLE).err())
                .contains("requires a client certificate", "--client-certificate FILE --client-key FILE");
        cli.variables.putAll(Map.of(
                "HOMEPORT_TOKEN",
                cli.server.firstToken().orElseThrow(),
                "HOMEPORT_CA",
                path("server.crt"),
                "HOMEPORT_SERVER",
                address()));
        assertThat(cli.run("api", "POST", "/api/v2/changes")
                        .fails(ExitCodes.UNREACHABLE)
                        .err())
                .contains("requires a client certificate", "HOMEPORT_CLIENT_CERTIFICATE");
        key("eve", "EC");
        certificate("eve");
        pem("eve.key", "PRIVATE KEY", secret("eve"));
        cli.variables.put("HOMEPORT_CLIENT_CERTIFICATE", "eve.crt");
        cli.variables.put("HOMEPORT_CLIENT_KEY", "eve.key");
        for (String[] words : new String[][] {{"api", "GET", "/api/v2/me"}, {"api", "POST", "/api/v2/changes"}}) {
            assertThat(cli.run(words).fails(ExitCodes.UNREACHABLE).err())
                    .contains("client certificate " + folder.resolve("eve.crt"));
        }
    }

    @Test
    void whatIsWrongWithTheFilesIsSaid() throws Exception {
        key("bob", "RSA", "-signer", "people");
        key("cat", "EC", "-signer", "people");
        pem("bob.key", "PRIVATE KEY", secret("bob"));
        pem("bob-1.key", "RSA PRIVATE KEY", inner(secret("bob")));
        pem("cat.key", "PRIVATE KEY", secret("cat"));
        pem("cat-1.key", "EC PRIVATE KEY", inner(secret("cat")));
        pem("locked.key", "ENCRYPTED PRIVATE KEY", new byte[] {1});
        pem("broken.key", "PRIVATE KEY", new byte[] {1, 2, 3});
        Files.writeString(folder.resolve("locked-1.key"), """
                -----BEGIN EC PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-256-CBC,00

                AAAA
                -----END EC PRIVATE KEY-----
                """);
        for (String other : List.of("bob.key", "bob-1.key", "cat.key", "cat-1.key")) {
            assertRefused("ann.crt", other, folder.resolve(other) + " is not the key of the certificate in");
        }
        assertRefused("ann.crt", "locked.key", "locked.key is encrypted, which is not supported");
        assertRefused("ann.crt", "locked-1.key", "locked-1.key is encrypted, which is not supported");
        assertRefused("ann.crt", "broken.key", "broken.key has a private key that cannot be read");
        assertRefused("ann.crt", "ann.crt", "ann.crt has no private key");
        assertRefused("ann.key", "ann.key", "ann.key has no certificate");
        assertRefused("ann.crt", "none.key", "client key " + folder.resolve("none.key") + " cannot be read");
        assertRefused("none.crt", "ann.key", "client certificate " + folder.resolve("none.crt") + " cannot be read");
        assertThat(login("--client-key", "ann.key").fails(ExitCodes.USAGE).err())
                .contains("--client-key is set without --client-certificate");
        assertThat(cli.run(
                                "context",
                                "add",
                                "plain",
                                "http://127.0.0.1:1",
                                "--client-certificate",
                                "ann.crt",
                                "--client-key",
                                "ann.key")
                        .fails(ExitCodes.USAGE)
                        .err())
                .contains("needs TLS");
        assertThat(folder.resolve("config/homeport/config.yaml")).doesNotExist();
    }

    private void assertRefused(String certificate, String key, String why) {
        assertThat(login("--client-certificate", certificate, "--client-key", key)
                        .fails(ExitCodes.FAILED)
                        .err())
                .contains(why);
    }

    private String address() {
        return "https://" + cli.server.admin().orElseThrow();
    }

    private String path(String file) {
        return folder.resolve(file).toString();
    }

    private Cli.Ran login(String... more) {
        List<String> words = new ArrayList<>(List.of("login", address(), "--token-stdin", "--ca", path("server.crt")));
        words.addAll(List.of(more));
        return cli.typing(cli.server.firstToken().orElseThrow(), words.toArray(String[]::new));
    }

    /** Makes a key with its certificate, in one store so that one can sign another. */
    private void key(String name, String algorithm, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keystore",
                path("keys.p12"),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                name,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-validity",
                "2"));
        words.addAll(algorithm.equals("EC") ? List.of("-groupname", "secp256r1") : List.of("-keysize", "2048"));
        words.addAll(List.of(more));
        Process keytool = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
    }

    private KeyStore keys() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private Path certificate(String name) throws Exception {
        return pem(name + ".crt", "CERTIFICATE", keys().getCertificate(name).getEncoded());
    }

    private byte[] secret(String name) throws Exception {
        return keys().getKey(name, PASSWORD.toCharArray()).getEncoded();
    }

    private Path pem(String file, String label, byte[] content) throws Exception {
        return Files.writeString(
                folder.resolve(file),
                "-----BEGIN " + label + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + label
                        + "-----\n");
    }

    /** The older form that PKCS#8 wraps: its third element, after the version and the algorithm. */
    private static byte[] inner(byte[] pkcs8) {
        ByteBuffer der = ByteBuffer.wrap(pkcs8);
        element(der);
        skip(der);
        skip(der);
        byte[] inner = new byte[element(der)];
        der.get(inner);
        return inner;
    }

    private static void skip(ByteBuffer der) {
        int length = element(der);
        der.position(der.position() + length);
    }

    /** Goes to where an element's content begins, and says how long that is. */
    private static int element(ByteBuffer der) {
        der.get();
        int first = der.get() & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = length << 8 | der.get() & 0xff;
        }
        return length;
    }
}
