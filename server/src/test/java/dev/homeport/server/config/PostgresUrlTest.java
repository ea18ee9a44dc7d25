package dev.homeport.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.server.storage.PostgresUrl;
import dev.homeport.store.PostgresSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as libpq reads them. */
class PostgresUrlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgresql://127.0.0.1/db | jdbc:postgresql://127.0.0.1/db",
                "postgres://localhost:5433/db | jdbc:postgresql://localhost:5433/db",
                "postgresql://[::1]:5432/db | jdbc:postgresql://[::1]:5432/db",
                "postgresql://127.0.0.1:1,127.0.0.1:2/db"
                        + " | jdbc:postgresql://127.0.0.1:1,127.0.0.1:2/db?targetServerType=primary",
                "postgresql://localhost,127.0.0.1/db?target_session_attrs=any"
                        + " | jdbc:postgresql://localhost,127.0.0.1/db?targetServerType=any",
                "postgresql://localhost,127.0.0.1/db?target_session_attrs=read-write&load_balance_hosts=random"
                        + " | jdbc:postgresql://localhost,127.0.0.1/db?targetServerType=primary&loadBalanceHosts=true",
                "postgresql://localhost,127.0.0.1/db?target_session_attrs=prefer-standby"
                        + " | jdbc:postgresql://localhost,127.0.0.1/db?targetServerType=preferSecondary",
                "postgresql://a,b:5433/db?sslmode=verify-full&sslrootcert=/etc/ca.crt"
                        + " | jdbc:postgresql://a,b:5433/db?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.crt"
                        + "&targetServerType=primary",
            })
    void becomeTheDrivers(String url, String jdbc) {
        assertThat(settings(url).jdbcUrl()).isEqualTo(jdbc);
    }

    @Test
    void userAndPasswordAreDecoded() {
        PostgresSettings settings = settings("postgresql://me%40x:p%2Fw+d@127.0.0.1,localhost/db");
        assertThat(settings.user()).isEqualTo("me@x");
        assertThat(settings.password()).isEqualTo("p/w+d");
        PostgresSettings named = settings("postgresql://127.0.0.1/db?user=me&password=secret");
        assertThat(named.user()).isEqualTo("me");
        assertThat(named.password()).isEqualTo("secret");
        assertThat(named.jdbcUrl()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql://", "postgresql:///db", "postgresql://a b/db", "postgresql://a,,b/db", "x"})
    void whatIsNoAddressIsRefused(String url) {
        assertThatThrownBy(() -> PostgresUrl.parse(url))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("is not a URL");
    }

    @Test
    void anUnknownTargetIsRefused() {
        assertThatThrownBy(() -> PostgresUrl.parse("postgresql://127.0.0.1,localhost/db?target_session_attrs=best"))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("read-write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://db.example.com/db",
                "postgresql://127.0.0.1,db.example.com/db",
                "postgresql://10.0.0.1:5432/db?connect_timeout=3",
                "postgresql://127.0.0.1.example.com/db"
            })
    void anotherMachineWithoutAWordOnTlsIsRefused(String url) {
        assertThatThrownBy(() -> PostgresUrl.parse(url))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("sslmode=verify-full");
    }

    @Test
    void aWeakModeIsAllowedAndSaidAloud() {
        assertThat(PostgresUrl.parse("postgresql://db/x?sslmode=require").weakness())
                .hasValueSatisfying(why -> assertThat(why).contains("sslmode=require", "db", "verify-full"));
        assertThat(PostgresUrl.parse("postgresql://db/x?sslmode=disable").weakness())
                .isPresent();
        assertThat(PostgresUrl.parse("postgresql://db/x?sslmode=verify-full").weakness())
                .isEmpty();
        assertThat(PostgresUrl.parse("postgresql://localhost/x").weakness()).isEmpty();
    }

    private static PostgresSettings settings(String url) {
        return PostgresUrl.parse(url).settings();
    }
}
