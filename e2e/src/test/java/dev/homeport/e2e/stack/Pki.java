package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and a certificate for 127.0.0.1 that signs itself, made by the JDK's own tool. */
public final class Pki {
    static final String PASSWORD = "loopback";
    private static final String ALIAS = "loopback";

    private final Path folder;
    private final KeyStore store;

    private Pki(Path folder, KeyStore store) {
        this.folder = folder;
        this.store = store;
    }

    static Pki in(Path folder) {
        Path file = Folders.made(folder).resolve("store.p12");
        Daemon.start(
                        "keytool",
                        folder,
                        Map.of(),
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                ALIAS,
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=loopback",
                                "-ext",
                                "san=ip:127.0.0.1,dns:localhost",
                                "-ext",
                                "bc:critical=ca:true",
                                "-validity",
                                "2",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                file.toString()))
                .awaitEnd();
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            write(
                    folder.resolve("tls.crt"),
                    "CERTIFICATE",
                    store.getCertificate(ALIAS).getEncoded());
            write(
                    folder.resolve("tls.key"),
                    "PRIVATE KEY",
                    store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
            Pki pki = new Pki(folder, store);
            try (OutputStream out = Files.newOutputStream(pki.trustStore())) {
                pki.trusted().store(out, PASSWORD.toCharArray());
            }
            return pki;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the pair of keys with which an API server signs tokens of service accounts. */
    static void writeSigningKeys(Path privateKey, Path publicKey) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            write(privateKey, "PRIVATE KEY", pair.getPrivate().getEncoded());
            write(publicKey, "PUBLIC KEY", pair.getPublic().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path certificate() {
        return folder.resolve("tls.crt");
    }

    Path key() {
        return folder.resolve("tls.key");
    }

    /** The certificate alone, for Java programs. */
    Path trustStore() {
        return folder.resolve("trust.p12");
    }

    /** For clients that trust this certificate alone, and for servers that show it. */
    SSLContext context() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted());
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private KeyStore trusted() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
        return trusted;
    }

    private static void write(Path file, String label, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        Files.writeString(file, "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
    }
}
