package dev.homeport.server.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same promises on each store, with nothing of any cloud's on the class path. */
@OutsideIn
@Requirement("H12")
class AnyStoreTest {
    @TempDir
    Path folder;

    @Test
    void theEmbeddedStoreNeedsAFolderAlone() {
        serves(Map.of("STORE_BACKEND", "sqlite"));
    }

    @Test
    void aUrlOfSqliteNamesTheFolder() {
        Path place = folder.resolve("by-url");
        serves(Map.of("STORE_BACKEND", "", "DATABASE_URL", "sqlite://" + place + "?mode=rwc"));
        assertThat(place.resolve("homeport.db")).isRegularFile();
        Path file = folder.resolve("fleet.db");
        serves(Map.of("STORE_BACKEND", "sqlite", "DATABASE_URL", "sqlite:" + file));
        assertThat(file).doesNotExist();
        assertThat(folder.resolve("fleet.db.d").resolve("homeport.db")).isRegularFile();
    }

    @Test
    void postgresqlNeedsItsAddressAlone() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("postgres").toFile())
                .start()) {
            String url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
            serves(Map.of("STORE_BACKEND", "", "DATABASE_URL", url, "HOMEPORT_INIT", "true"));
        }
    }

    private void serves(Map<String, String> store) {
        Map<String, String> environment = new java.util.HashMap<>(store);
        environment.put("API_MODE", "crud");
        if (!store.getOrDefault("DATABASE_URL", "").startsWith("sqlite:")) {
            environment.put("HOMEPORT_DATA", folder.resolve("data").toString());
        }
        try (DropIn server = DropIn.start(environment)) {
            server.fleet("any");
            assertThat(server.inputs("/any.example.com/namespaces").size()).isEqualTo(1);
        }
        environment.put("HOMEPORT_INIT", "false");
        try (DropIn again = DropIn.start(environment)) {
            assertThat(again.inputs("/any.example.com/platform-components").size())
                    .isEqualTo(1);
        }
    }

    @Test
    void noCloudsLibraryIsNeeded() {
        assertThat(System.getProperty("java.class.path"))
                .doesNotContain("amazonaws", "software/amazon", "com/azure", "google-cloud", "com/google/cloud");
    }
}
