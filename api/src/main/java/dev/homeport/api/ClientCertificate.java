package dev.homeport.api;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A certificate to show to a server, with its key.
 *
 * @param certificate a PEM file: the certificate first, then those between it and the authority
 * @param key a PEM file with the private key, not encrypted; may be the same file
 */
public record ClientCertificate(Path certificate, Path key) {

    /** Reads both files, so that mistakes are reported before they are used. */
    public void check() {
        var _ = managers();
    }

    KeyManager[] managers() {
        List<X509Certificate> chain = chain();
        PublicKey shown = chain.getFirst().getPublicKey();
        PrivateKey secret = secret(shown);
        try {
            char[] password = {};
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setKeyEntry("client", secret, password, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, password);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(certificate, "cannot be used: " + e.getMessage(), e);
        }
    }

    private List<X509Certificate> chain() {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemBlock block : blocks(certificate, "client certificate")) {
                if (block.label().equals("CERTIFICATE")) {
                    chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content())));
                }
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(certificate, "is not a PEM file with a certificate: " + e.getMessage(), e);
        }
        if (chain.isEmpty()) {
            throw unusable(certificate, "has no certificate: it must be a PEM file with BEGIN CERTIFICATE", null);
        }
        return chain;
    }

    private PrivateKey secret(PublicKey shown) {
        List<PemBlock> keys = blocks(key, "client key").stream()
                .filter(block -> block.label().endsWith("PRIVATE KEY"))
                .toList();
        if (keys.isEmpty()) {
            throw unusable(key, "has no private key: it must be a PEM file with BEGIN PRIVATE KEY", null);
        }
        PemBlock first = keys.getFirst();
        if (first.isEncrypted()) {
            throw unusable(
                    key,
                    "is encrypted, which is not supported: decrypt it with `openssl pkey -in " + key
                            + " -out NEW` into a file that only you can read",
                    null);
        }
        try {
            PrivateKey secret = PrivateKeys.read(first, shown);
            if (belongTogether(secret, shown)) {
                return secret;
            }
        } catch (InvalidKeyException e) {
            throw mismatch(e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(key, "has a private key that cannot be read: " + e.getMessage(), e);
        }
        throw mismatch(null);
    }

    private static boolean belongTogether(PrivateKey secret, PublicKey shown) throws GeneralSecurityException {
        String algorithm = switch (shown.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> shown.getAlgorithm();
        };
        byte[] text = "homeport".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(text);
        return signature.verify(signed);
    }

    private static List<PemBlock> blocks(Path file, String what) {
        try {
            return PemBlock.all(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(what + " " + file + " cannot be read: " + FileTrouble.why(e), e);
        }
    }

    private UncheckedIOException mismatch(@Nullable Exception cause) {
        return unusable(key, "is not the key of the certificate in " + certificate, cause);
    }

    private static UncheckedIOException unusable(Path file, String why, @Nullable Exception cause) {
        return new UncheckedIOException(file + " " + why, new IOException(why, cause));
    }
}
