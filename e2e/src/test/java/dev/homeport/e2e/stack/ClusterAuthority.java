package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** Who gives clusters certificates that they poll with. */
public final class ClusterAuthority {
    private static final String ALIAS = "authority";

    private final Path folder;
    private int issued;

    private ClusterAuthority(Path folder) {
        this.folder = folder;
    }

    static ClusterAuthority in(Path folder) {
        ClusterAuthority authority = new ClusterAuthority(Folders.made(folder));
        Keytool.pair(authority.store(), ALIAS, "CN=clusters", "-ext", "bc:critical=ca:true");
        try {
            Files.writeString(
                    authority.certificate(),
                    Pem.certificate(authority.open().getCertificate(ALIAS).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return authority;
    }

    private Path store() {
        return folder.resolve("authority.p12");
    }

    private KeyStore open() throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(store())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, Pki.PASSWORD.toCharArray());
            return store;
        }
    }

    Path certificate() {
        return folder.resolve("authority.crt");
    }

    /** What a cluster shows, in PEM. */
    public record Issued(String certificate, String key) {}

    /** A certificate for the cluster with this id, another one each time. */
    public synchronized Issued issue(String cluster) {
        String alias = "client-" + issued++;
        Keytool.pair(
                store(),
                alias,
                "CN=a cluster",
                "-signer",
                ALIAS,
                "-ext",
                "san=uri:spiffe://homeport/cluster/" + cluster,
                "-ext",
                "eku=clientAuth");
        try {
            KeyStore store = open();
            return new Issued(
                    Pem.certificate(store.getCertificate(alias).getEncoded()),
                    Pem.key(store.getKey(alias, Pki.PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
