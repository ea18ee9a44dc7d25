package dev.homeport.e2e.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The JDK's own tool for keys and certificates. */
final class Keytool {
    private Keytool() {}

    /** Makes a key and a certificate for it in a key store, which is created if missing. */
    static void pair(Path store, String alias, String name, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                Pki.PASSWORD,
                "-keystore",
                store.toString()));
        command.addAll(List.of(more));
        Daemon.start("keytool", store.toAbsolutePath().getParent(), Map.of(), command)
                .awaitEnd();
    }
}
