package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.StoreRefused;
import dev.homeport.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master key that is encrypted by a passphrase or by a program, with real processes. */
class WrappedKeyTest {
    @TempDir
    Path folder;

    private AdminRun admin(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", folder.resolve("data").toString()));
        return AdminRun.of(all.toArray(String[]::new));
    }

    private Path file() {
        return folder.resolve("data").resolve("master.key");
    }

    private String plainKey() throws IOException {
        return Files.readString(file()).substring(0, 64);
    }

    private boolean works(String token, Map<String, String> flags) {
        try (TestServer server = TestServer.in(folder, flags)) {
            return server.admin(token).get("/api/v2/me").status() == 200;
        }
    }

    @Test
    void aPassphraseIsNeededAndRekeyKeepsTheWrapping() throws Exception {
        String token;
        try (TestServer server = TestServer.in(folder)) {
            token = server.adminToken();
        }
        String plain = plainKey();
        Path passphrase = Files.writeString(folder.resolve("passphrase"), "correct horse battery\n");
        Path wrong = Files.writeString(folder.resolve("wrong"), "incorrect horse battery\n");
        assertThat(admin("key", "wrap", "--passphrase-file", passphrase.toString())
                        .code())
                .isZero();
        assertThat(Files.readString(file()))
                .startsWith("homeport-master-key 2\n")
                .doesNotContain(plain);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");

        assertThatThrownBy(() -> works(token, Map.of()))
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining("set master_key_passphrase_file");
        assertThatThrownBy(() -> works(token, Map.of("--master-key-passphrase-file", wrong.toString())))
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining("not the right one");
        Map<String, String> flags = Map.of("--master-key-passphrase-file", passphrase.toString());
        assertThat(works(token, flags)).isTrue();

        AdminRun rekey = admin("rekey", "--master-key-passphrase-file", passphrase.toString());
        assertThat(rekey.code()).as(rekey.err()).isZero();
        assertThat(Files.readString(file()))
                .startsWith("homeport-master-key 2\n")
                .doesNotContain(plain);
        assertThat(works(token, flags)).isTrue();

        String lowered = Files.readString(file()).replace("iterations: 600000", "iterations: 600001");
        String good = Files.readString(file());
        Files.writeString(file(), lowered);
        assertThatThrownBy(() -> works(token, flags)).hasMessageContaining("the file was changed");
        // A field that nothing is computed from: only the authentication of the header notices it.
        Files.writeString(file(), good.replace("data: ", "note: added\ndata: "));
        assertThatThrownBy(() -> works(token, flags)).hasMessageContaining("the file was changed");
        Files.writeString(file(), good);

        assertThat(admin("key", "unwrap", "--passphrase-file", passphrase.toString())
                        .code())
                .isZero();
        assertThat(Files.readString(file())).contains(plain);
        assertThat(works(token, Map.of())).isTrue();
    }

    @Test
    void aProgramWrapsAndUnwraps() throws Exception {
        Path program = Files.writeString(folder.resolve("kms"), """
                #!/bin/sh
                # Not a cipher, but the two directions of one.
                [ "$1" = "--account" ] || exit 9
                case "$3" in wrap) printf 'KMS:'; tr 'A-Za-z' 'N-ZA-Mn-za-m';;
                unwrap) sed 's/^KMS://' | tr 'A-Za-z' 'N-ZA-Mn-za-m';; *) exit 8;; esac
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        String command = program + " --account a;touch${IFS}" + folder.resolve("injected");
        String token;
        try (TestServer server = TestServer.in(folder, Map.of("--master-key-command", command))) {
            token = server.adminToken();
        }
        assertThat(Files.readString(file()))
                .as("a new key is wrapped from the start")
                .startsWith("homeport-master-key 2\n")
                .contains("wrapping: command");
        assertThat(folder.resolve("injected")).doesNotExist();
        assertThat(works(token, Map.of("--master-key-command", command))).isTrue();
        assertThatThrownBy(() -> works(token, Map.of())).hasMessageContaining("set master_key_command");
        assertThatThrownBy(() -> works(token, Map.of("--master-key-command", program.toString())))
                .hasMessageContaining("exit code 9");
        assertThatThrownBy(() -> works(token, Map.of("--master-key-command", folder + "/nothing")))
                .hasMessageContaining("cannot be started");
        assertThat(admin("key", "status", "--master-key-command", command).out())
                .contains("is wrapped");
    }
}
