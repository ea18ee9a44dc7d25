package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and a certificate for this machine that signs itself. */
public final class Pki {
    static final String PASSWORD = "loopback";
    private static final String ALIAS = "loopback";

    private final Path folder;
    private final KeyStore store;
    private final ClusterAuthority clusters;

    private Pki(Path folder, KeyStore store) {
        this.folder = folder;
        this.store = store;
        this.clusters = ClusterAuthority.in(folder.resolve("clusters"));
    }

    /** @param more addresses besides 127.0.0.1 */
    static Pki in(Path folder, List<String> more) {
        Path file = Folders.made(folder).resolve("store.p12");
        String names = "san=ip:127.0.0.1,dns:localhost"
                + more.stream().map(address -> ",ip:" + address).collect(Collectors.joining());
        Keytool.pair(file, ALIAS, "CN=loopback", "-ext", names, "-ext", "bc:critical=ca:true");
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            Files.writeString(
                    folder.resolve("tls.crt"),
                    Pem.certificate(store.getCertificate(ALIAS).getEncoded()));
            Files.writeString(
                    folder.resolve("tls.key"),
                    Pem.key(store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
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
            Files.writeString(privateKey, Pem.key(pair.getPrivate().getEncoded()));
            Files.writeString(publicKey, Pem.publicKey(pair.getPublic().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another authority: the one of clusters. */
    public ClusterAuthority clusters() {
        return clusters;
    }

    public Path certificate() {
        return folder.resolve("tls.crt");
    }

    /** The same as text. */
    public String authority() {
        try {
            return Files.readString(certificate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
}
