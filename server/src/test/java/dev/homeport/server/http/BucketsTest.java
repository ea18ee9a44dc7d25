package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BucketsTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // a clock that only goes forward may wrap

    private int taken(Buckets buckets, String key, int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += buckets.take(key) ? 1 : 0;
        }
        return taken;
    }

    @Test
    void aBucketHoldsABurstAndFillsAgain() {
        Buckets buckets = new Buckets(60, 5, now::get);
        assertThat(taken(buckets, "a", 20)).isEqualTo(5);
        assertThat(taken(buckets, "b", 20)).isEqualTo(5);
        now.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(taken(buckets, "a", 20)).isEqualTo(2);
        now.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(taken(buckets, "a", 20)).isEqualTo(5);
    }

    @Test
    void noLimitIsNoLimit() {
        assertThat(taken(new Buckets(0, 0, now::get), "a", 10_000)).isEqualTo(10_000);
    }

    @Test
    void oneIpv6NetworkIsOneGuesser() {
        FailedLogins failures = new FailedLogins();
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            refused += failures.tooMany("2001:db8:1:2:0:0:0:" + i, java.util.Optional.empty()) ? 1 : 0;
        }
        assertThat(refused).isGreaterThanOrEqualTo(49);
        assertThat(failures.tooMany("2001:db8:1:3:0:0:0:1", java.util.Optional.empty()))
                .isFalse();
        assertThat(failures.tooMany("192.0.2.1", java.util.Optional.empty())).isFalse();
    }

    /** However it is written, and by any client. */
    @Test
    void oneAddressIsOneGuesserInEveryForm() {
        FailedLogins failures = new FailedLogins();
        int refused = 0;
        for (int i = 1; i <= 100; i++) {
            String address = i % 2 == 0 ? "2001:db8::" + i : "2001:0db8:0:0:0:0:0:" + i + "%eth0";
            refused += failures.tooMany(address, java.util.Optional.empty()) ? 1 : 0;
        }
        assertThat(refused).isGreaterThanOrEqualTo(49);
        refused = 0;
        for (int i = 1; i <= 100; i++) {
            refused += failures.tooMany("::ffff:192.0.2.7", java.util.Optional.empty()) ? 1 : 0;
        }
        assertThat(refused).isGreaterThanOrEqualTo(49);
        assertThat(failures.tooMany("192.0.2.7", java.util.Optional.empty())).isTrue();
        assertThat(failures.tooMany("::ffff:192.0.2.8", java.util.Optional.empty()))
                .isFalse();
    }

    /** A million guessers take no more memory than the limit, nor the time of those who came before them. */
    @Test
    void aFloodOfKeysIsBoundedAndFreesNobody() {
        Buckets buckets = new Buckets(60, 5, now::get);
        taken(buckets, "guesser", 20);
        for (int i = 0; i < 1_000_000; i++) {
            buckets.take("k" + i);
        }
        assertThat(buckets.size()).isEqualTo(Buckets.MOST_KEYS);
        assertThat(taken(buckets, "guesser", 20)).isZero();
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(taken(buckets, "another", 20)).isEqualTo(5);
        assertThat(buckets.size()).isEqualTo(1);
    }

    @Test
    void guessingOneTokenFromManyAddressesIsSlowed() {
        FailedLogins logins = new FailedLogins();
        String guess = dev.homeport.access.TokenText.mint(
                        dev.homeport.access.TokenText.Kind.PERSON, new byte[] {1, 2, 3, 4, 5, 6, 7}, new byte[] {9})
                .reveal();
        boolean slowed = false;
        for (int i = 0; i < 60; i++) {
            slowed = logins.tooMany("10.0.0." + i, java.util.Optional.of(guess));
        }
        assertThat(slowed).isTrue();
        assertThat(logins.tooMany("10.0.1.1", java.util.Optional.of("not a token")))
                .isFalse();
    }
}
