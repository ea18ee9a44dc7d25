package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final ConnectionLimits limits = new ConnectionLimits(3, 1000, TrustedProxies.parse("10.0.0.0/8"), now::get);
    private final ConnectionLimits.Plane plane = limits.plane("poll", 5);

    private ConnectionSlot admitted(String address) {
        return Objects.requireNonNull(plane.admit(address, () -> false), address);
    }

    private boolean isRefused(String address) {
        return plane.admit(address, () -> false) == null;
    }

    @Test
    void anAddressHasALimitOfItsOwn() {
        ConnectionSlot first = admitted("192.0.2.1");
        admitted("192.0.2.1");
        admitted("192.0.2.1");
        assertThat(isRefused("192.0.2.1")).isTrue();
        assertThat(plane.refused(ConnectionLimits.Reason.ADDRESS)).isEqualTo(1);
        assertThat(plane.open()).isEqualTo(3);
        admitted("192.0.2.2");
        first.close();
        first.close();
        assertThat(plane.open()).isEqualTo(3);
        admitted("192.0.2.1");
        assertThat(isRefused("192.0.2.1")).isTrue();
    }

    @Test
    void anIpv6NetworkIsOneAddress() {
        admitted("2001:db8::1");
        admitted("2001:db8::ffff:1");
        admitted("2001:db8:0:0:1::");
        assertThat(isRefused("2001:db8::77")).isTrue();
        admitted("2001:db8:0:1::1");
    }

    @Test
    void proxiesThatAreTrustedAreCountedForWhomTheySpeak() {
        for (int i = 0; i < 4; i++) {
            admitted("10.1.2.3");
        }
        ConnectionLimits.Plane other = limits.plane("admin", 10);
        for (int i = 0; i < 3; i++) {
            assertThat(Objects.requireNonNull(other.admit("10.1.2.3", () -> false))
                            .rename("192.0.2.1"))
                    .isTrue();
        }
        ConnectionSlot fourth = Objects.requireNonNull(other.admit("10.1.2.3", () -> false));
        assertThat(fourth.rename("192.0.2.1")).isFalse();
        assertThat(isRefused("192.0.2.1")).isTrue();
    }

    @Test
    void whoDoesNothingMakesRoom() {
        ConnectionSlot idle = admitted("192.0.2.1");
        for (int i = 2; i <= 5; i++) {
            admitted("192.0.2." + i);
        }
        assertThat(isRefused("192.0.2.9")).isTrue();
        assertThat(plane.reached(ConnectionLimits.Reason.CONNECTIONS, now.get()).orElseThrow())
                .isEqualTo(new Episode.Reached(START, START, "192.0.2.9"));
        now.set(START.plus(Duration.ofMinutes(9)));
        assertThat(plane.admit("192.0.2.9", () -> {
                    idle.close();
                    return true;
                }))
                .isNotNull();
        assertThat(plane.open()).isEqualTo(5);
        assertThat(plane.evicted()).isEqualTo(1);
        assertThat(plane.reached(ConnectionLimits.Reason.CONNECTIONS, now.get())
                        .orElseThrow()
                        .since())
                .isEqualTo(START);
        assertThat(plane.reached(ConnectionLimits.Reason.CONNECTIONS, now.get().plus(Duration.ofMinutes(11))))
                .isEmpty();
    }

    @Test
    void oneAddressGetsHalfOfTheBytes() {
        ByteBudget.Lease first = admitted("192.0.2.1").lease();
        ByteBudget.Lease second = admitted("192.0.2.1").lease();
        assertThat(first.resize(300)).isTrue();
        assertThat(second.resize(300)).isFalse();
        assertThat(second.resize(200)).isTrue();
        ByteBudget.Lease other = admitted("192.0.2.2").lease();
        assertThat(other.resize(500)).isTrue();
        assertThat(admitted("10.0.0.1").lease().resize(1)).isFalse();
        assertThat(limits.bytes().used()).isEqualTo(1000);
        assertThat(limits.bytes().refused()).isEqualTo(2);
        assertThat(limits.bytes().exhaustedSince(now.get())).contains(START);
        first.resize(100);
        other.close();
        other.close();
        assertThat(other.resize(1)).isFalse();
        assertThat(limits.bytes().used()).isEqualTo(300);
    }
}
