package dev.homeport.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteUrlTest {
    @ParameterizedTest
    @CsvSource({
        "sqlite:data, data",
        "sqlite://data, data",
        "sqlite:/var/lib/homeport, /var/lib/homeport",
        "sqlite:///var/lib/homeport, /var/lib/homeport",
        "sqlite:///var/lib/fleet.db, /var/lib/fleet.db.d",
        "sqlite://fleet.sqlite3?mode=rwc, fleet.sqlite3.d",
        "sqlite:data?mode=rwc&cache=shared, data"
    })
    void namesAFolder(String url, String folder) {
        assertThat(SqliteUrl.folder(url)).contains(Path.of(folder));
        assertThat(SqliteUrl.isMemory(url)).isFalse();
    }

    @Test
    void namesNoPlaceOrMemory() {
        assertThat(SqliteUrl.folder("sqlite:")).isEmpty();
        assertThat(SqliteUrl.folder("sqlite://")).isEmpty();
        assertThat(SqliteUrl.isMemory("sqlite::memory:")).isTrue();
        assertThat(SqliteUrl.isMemory("sqlite://:memory:")).isTrue();
    }
}
