package dev.homeport.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final double WARM_UP = 10;

    @Test
    void clustersBeginInOrderAndNeverEarlier() {
        double before = -1;
        for (double otherwise = 0; otherwise < 30; otherwise += 0.1) {
            double begins = WarmUp.begins(otherwise, WARM_UP);
            assertThat(begins).isGreaterThan(before).isGreaterThanOrEqualTo(otherwise);
            before = begins;
        }
    }

    @Test
    void theRateGrowsEvenlyAndIsTheFullOneAtTheEnd() {
        double half = WarmUp.begins(WARM_UP / 8, WARM_UP);
        assertThat(half).as("a quarter of them in half of the time").isEqualTo(WARM_UP / 2, within(1e-9));
        assertThat(WarmUp.begins(WARM_UP / 2, WARM_UP)).isEqualTo(WARM_UP, within(1e-9));
        assertThat(WarmUp.begins(8, WARM_UP) - WarmUp.begins(7, WARM_UP)).isEqualTo(1, within(1e-9));
    }

    @Test
    void withoutOneTheyBeginWhenTheyWould() {
        assertThat(WarmUp.begins(0, 0)).isZero();
        assertThat(WarmUp.begins(3.5, 0)).isEqualTo(3.5);
    }
}
