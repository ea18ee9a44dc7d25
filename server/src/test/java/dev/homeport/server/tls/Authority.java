package dev.homeport.server.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates for tests. */
public final class Authority {
    static final char[] PASSWORD = "changeit".toCharArray();
    private static final AtomicLong SERIAL = new AtomicLong(1);

    private final KeyPair keys = pair("EC", 256);
    private final X509Certificate certificate;
    private final X500Principal name;

    public Authority(String name) {
        this.name = new X500Principal("CN=" + name);
        this.certificate = sign(this.name, keys, Instant.now().minus(Duration.ofHours(2)), Duration.ofDays(30), true);
    }

    /** A certificate with its key. */
    public record Issued(X509Certificate certificate, PrivateKey key) {
        String certificatePem() {
            return pem("CERTIFICATE", encoded(certificate));
        }

        String keyPem() {
            return pem("PRIVATE KEY", key.getEncoded());
        }

        KeyStore store() {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("own", key, PASSWORD, new X509Certificate[] {certificate});
                return store;
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        public void write(Path certificateFile, Path keyFile) throws IOException {
            Files.writeString(certificateFile, certificatePem());
            Files.writeString(keyFile, keyPem());
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    String pem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /** For a server on loopback. */
    public Issued server(String commonName) {
        return server(commonName, pair("EC", 256), Instant.now().minus(Duration.ofHours(1)), Duration.ofDays(10));
    }

    public Issued server(String commonName, KeyPair pair, Instant from, Duration life) {
        return new Issued(
                sign(
                        new X500Principal("CN=" + commonName),
                        pair,
                        from,
                        life,
                        false,
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                        new GeneralName(GeneralName.dNSName, "localhost")),
                pair.getPrivate());
    }

    Issued client(String commonName, GeneralName... names) {
        return client(commonName, Instant.now().minus(Duration.ofHours(1)), Duration.ofDays(1), names);
    }

    Issued client(String commonName, Instant from, Duration life, GeneralName... names) {
        KeyPair pair = pair("EC", 256);
        return new Issued(
                sign(new X500Principal("CN=" + commonName), pair, from, life, false, names), pair.getPrivate());
    }

    static GeneralName uri(String uri) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, uri);
    }

    static KeyPair pair(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(new ECGenParameterSpec("secp" + bits + "r1"));
            } else if (algorithm.equals("RSA")) {
                generator.initialize(bits);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509Certificate sign(
            X500Principal subject, KeyPair pair, Instant from, Duration life, boolean authority, GeneralName... names) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.valueOf(SERIAL.getAndIncrement()),
                    Date.from(from),
                    Date.from(from.plus(life)),
                    subject,
                    pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (names.length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String label, byte[] content) {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }
}
