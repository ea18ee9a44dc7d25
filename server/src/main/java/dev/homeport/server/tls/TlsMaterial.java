package dev.homeport.server.tls;

import dev.homeport.server.config.ServerSettings;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;

/**
 * What the files held when they were read, found to be usable.
 *
 * @param chain the server's certificate first
 * @param clientCa the authorities for clusters' certificates, as in their file
 * @param adminCa those for the certificates of the admin plane's clients
 */
public record TlsMaterial(
        Buffer certificate,
        Buffer key,
        Optional<Buffer> clientCa,
        Optional<Buffer> adminCa,
        List<X509Certificate> chain) {
    private static final int SHORTEST_RSA = 2048;
    private static final Map<String, String> SIGNING = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

    /** The files cannot be used; the message says which one, why, and what to do. */
    public static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message);
        }
    }

    public static TlsMaterial read(ServerSettings.Tls files) throws Unusable {
        Buffer certificate = bytes("tls_certificate", files.certificate());
        Buffer key = bytes("tls_key", files.key());
        List<X509Certificate> chain = certificates("tls_certificate", files.certificate(), certificate);
        PublicKey open = publicKey(files, chain.getFirst());
        match(files, open, privateKey(files, open.getAlgorithm(), certificate, key));
        return new TlsMaterial(
                certificate,
                key,
                authorities("tls_client_ca", files.clientCa()),
                authorities("admin_client_ca", files.adminClients().map(ServerSettings.AdminClients::authority)),
                chain);
    }

    private static Optional<Buffer> authorities(String setting, Optional<Path> file) throws Unusable {
        if (file.isEmpty()) {
            return Optional.empty();
        }
        Buffer found = bytes(setting, file.get());
        certificates(setting, file.get(), found);
        return Optional.of(found);
    }

    /** The certificate authorities of clients, if configured. */
    Optional<TrustManagerFactory> clientTrust() throws GeneralSecurityException, IOException {
        if (clientCa.isEmpty()) {
            return Optional.empty();
        }
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        for (X509Certificate authority : certificates(clientCa.get())) {
            authorities.setCertificateEntry("authority-" + authorities.size(), authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        return Optional.of(trust);
    }

    public X509Certificate served() {
        return chain.getFirst();
    }

    public Instant notAfter() {
        return served().getNotAfter().toInstant();
    }

    public boolean sameFiles(TlsMaterial other) {
        return certificate.equals(other.certificate)
                && key.equals(other.key)
                && clientCa.equals(other.clientCa)
                && adminCa.equals(other.adminCa);
    }

    /** Never the key. */
    @Override
    public String toString() {
        return served().getSubjectX500Principal() + ", valid until " + notAfter();
    }

    private static Buffer bytes(String setting, Path file) throws Unusable {
        try {
            return Buffer.buffer(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new Unusable(setting + " " + file + " does not exist");
        } catch (AccessDeniedException e) {
            throw new Unusable(setting + " " + file + " may not be read by this user");
        } catch (IOException e) {
            throw new Unusable(setting + " " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static List<X509Certificate> certificates(String setting, Path file, Buffer pem) throws Unusable {
        if (!pem.toString(StandardCharsets.ISO_8859_1).contains("-----BEGIN CERTIFICATE-----")) {
            throw new Unusable(setting + " " + file + " holds no certificate in PEM form (BEGIN CERTIFICATE)");
        }
        try {
            List<X509Certificate> found = certificates(pem);
            if (found.isEmpty()) {
                throw new Unusable(setting + " " + file + " holds no certificate");
            }
            return found;
        } catch (CertificateException e) {
            throw new Unusable(setting + " " + file + " holds a certificate that cannot be read: " + e.getMessage());
        }
    }

    private static List<X509Certificate> certificates(Buffer pem) throws CertificateException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes()))
                .stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    private static PrivateKey privateKey(ServerSettings.Tls files, String algorithm, Buffer certificate, Buffer key)
            throws Unusable {
        String text = key.toString(StandardCharsets.ISO_8859_1);
        if (text.contains("ENCRYPTED")) {
            throw new Unusable("tls_key " + files.key() + " is encrypted: give it without a passphrase, readable by"
                    + " this user alone");
        }
        if (!text.contains("PRIVATE KEY-----")) {
            throw new Unusable("tls_key " + files.key() + " holds no private key in PEM form (BEGIN PRIVATE KEY)");
        }
        try {
            KeyManagerFactory keys = new PemKeyCertOptions()
                    .addCertValue(certificate)
                    .addKeyValue(key)
                    .getKeyManagerFactory(null); // values need no file system
            if (keys.getKeyManagers()[0] instanceof X509KeyManager manager) {
                String[] aliases = manager.getServerAliases(algorithm, null);
                PrivateKey found = aliases == null ? null : manager.getPrivateKey(aliases[0]);
                if (found != null) {
                    return found;
                }
            }
            throw new Unusable("tls_key " + files.key() + " holds no private key");
        } catch (Unusable e) {
            throw e;
        } catch (Exception e) {
            if (String.valueOf(e.getMessage()).contains("algorithm")) {
                throw mismatch(files);
            }
            throw new Unusable("tls_key " + files.key() + " holds a key that cannot be read: " + e.getMessage());
        }
    }

    private static Unusable mismatch(ServerSettings.Tls files) {
        return new Unusable("tls_key " + files.key() + " is not the key of the certificate in tls_certificate "
                + files.certificate() + "; the server's own certificate comes first in the chain");
    }

    private static PublicKey publicKey(ServerSettings.Tls files, X509Certificate certificate) throws Unusable {
        PublicKey open = certificate.getPublicKey();
        if (open instanceof RSAKey rsa && rsa.getModulus().bitLength() < SHORTEST_RSA) {
            throw new Unusable("tls_certificate " + files.certificate() + " has an RSA key of "
                    + rsa.getModulus().bitLength() + " bits: clients want at least " + SHORTEST_RSA);
        }
        if (!SIGNING.containsKey(open.getAlgorithm())) {
            throw new Unusable("tls_certificate " + files.certificate() + " has a key of kind " + open.getAlgorithm()
                    + ": use ECDSA P-256 or RSA");
        }
        return open;
    }

    private static void match(ServerSettings.Tls files, PublicKey open, PrivateKey key) throws Unusable {
        byte[] probe = "homeport".getBytes(StandardCharsets.UTF_8);
        try {
            Signature signing = Signature.getInstance(SIGNING.get(open.getAlgorithm()));
            signing.initSign(key);
            signing.update(probe);
            byte[] signature = signing.sign();
            Signature verifying = Signature.getInstance(SIGNING.get(open.getAlgorithm()));
            verifying.initVerify(open);
            verifying.update(probe);
            if (!verifying.verify(signature)) {
                throw mismatch(files);
            }
        } catch (GeneralSecurityException e) {
            throw mismatch(files);
        }
    }
}
