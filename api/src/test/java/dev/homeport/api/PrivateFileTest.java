package dev.homeport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with tokens belong to their owner alone, and are written whole or not at all. */
class PrivateFileTest {
    @TempDir
    Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void nobodyElseReadsIt() throws IOException {
        Path file = folder.resolve("new/config");
        PrivateFile.write(file, "secret");
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(file.getParent())).isEqualTo("rwx------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        PrivateFile.write(file, "other");
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(file).hasContent("other");
        assertThat(file.getParent()).isDirectoryContaining(one -> one.equals(file));
        try (var left = Files.list(file.getParent())) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aLinkStaysALink() throws IOException {
        Path target = folder.resolve("target");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
        PrivateFile.write(link, "text");
        assertThat(link).isSymbolicLink();
        assertThat(target).hasContent("text");
        Path round = Files.createSymbolicLink(folder.resolve("round"), Path.of("round"));
        assertThatThrownBy(() -> PrivateFile.write(round, "text"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("links lead nowhere");
    }

    @Test
    void aFileThatIsNoCertificateIsRefusedByName() throws IOException {
        Path file = Files.writeString(folder.resolve("ca.pem"), "not a certificate");
        assertThatThrownBy(() -> TrustedAuthorities.in(file)).hasMessageContaining("ca.pem");
        assertThatThrownBy(() -> TrustedAuthorities.in(folder.resolve("absent")))
                .hasMessageContaining("absent");
        assertThatThrownBy(() -> TrustedAuthorities.in(Files.writeString(folder.resolve("empty"), "")))
                .hasMessageContaining("empty");
    }
}
