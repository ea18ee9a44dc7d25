package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {
    private final TrustedProxies proxies = TrustedProxies.parse("10.0.0.0/8, 192.0.2.7,2001:db8::/33");

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, true",
        "10.255.255.255, true",
        "11.0.0.1, false",
        "192.0.2.7, true",
        "192.0.2.8, false",
        "::ffff:10.1.2.3, true",
        "::ffff:11.1.2.3, false",
        "2001:db8::1, true",
        "2001:db8:7fff::1, true",
        "2001:db8:8000::1, false",
        "2001:db9::1, false",
        "10.0.0.1.example.com, false",
        "localhost, false",
        "'', false"
    })
    void networks(String address, boolean trusted) {
        assertThat(proxies.isTrusted(address)).isEqualTo(trusted);
    }

    @Test
    void theListIsBelievedFromItsEnd() {
        assertThat(proxies.beyond("10.0.0.1", List.of())).isEqualTo("10.0.0.1");
        assertThat(proxies.beyond("10.0.0.1", List.of("203.0.113.5"))).isEqualTo("203.0.113.5");
        assertThat(proxies.beyond("10.0.0.1", List.of("1.1.1.1, 203.0.113.5"))).isEqualTo("203.0.113.5");
        assertThat(proxies.beyond("10.0.0.1", List.of("1.1.1.1, 203.0.113.5, 10.0.0.2")))
                .isEqualTo("203.0.113.5");
        assertThat(proxies.beyond("10.0.0.1", List.of("1.1.1.1", "203.0.113.5", "10.0.0.2,10.0.0.3")))
                .isEqualTo("203.0.113.5");
        assertThat(proxies.beyond("10.0.0.1", List.of("10.0.0.9, 10.0.0.2"))).isEqualTo("10.0.0.9");
        assertThat(proxies.beyond("10.0.0.1", List.of("203.0.113.5:4711"))).isEqualTo("203.0.113.5");
        assertThat(proxies.beyond("10.0.0.1", List.of("[2001:db9::1]:4711"))).isEqualTo("2001:db9:0:0:0:0:0:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "", ",", "_hidden", "1.2.3", "203.0.113.5 x", "<script>", "[::1", "a:b"})
    void whatIsNoAddressEndsTheList(String hop) {
        assertThat(proxies.beyond("10.0.0.1", List.of("1.1.1.1, " + hop))).isEqualTo("10.0.0.1");
        assertThat(proxies.beyond("10.0.0.1", List.of("1.1.1.1, " + hop + ", 10.0.0.2")))
                .isEqualTo("10.0.0.2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0/8", "example.com", "10.0.0.0/-1", "10.0.0.0/x", "::/129"})
    void whatIsNoNetwork(String text) {
        assertThatThrownBy(() -> TrustedProxies.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
