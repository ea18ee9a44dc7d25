package dev.homeport.server.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.SignInSettings.Issuer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** For how long what a provider said holds. */
class ProviderTest {
    private final TestProvider there = new TestProvider();
    private Duration now = Duration.ZERO;
    private final Provider provider = new Provider(new Issuer(there.issuer(), Optional.empty()), () -> now.toNanos());

    @AfterEach
    void stop() {
        provider.close();
        there.close();
    }

    @Test
    void keysHoldForADayWithoutTheProviderAndNoLonger() {
        assertThat(provider.known().keys()).hasSize(3);
        there.goDown();
        now = now.plus(Provider.HOLDS).minus(Duration.ofMinutes(1));
        assertThat(provider.known().keys()).hasSize(3);
        now = now.plus(Duration.ofMinutes(2));
        assertThatThrownBy(provider::known)
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining(there.issuer())
                .hasMessageContaining("does not answer");
        there.comeBack();
        now = now.plus(Provider.PAUSE);
        assertThat(provider.known().keys()).hasSize(3);
    }

    @Test
    void itIsAskedAgainAfterAWhileButNotAsOftenAsSomebodyLikes() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            provider.newest();
        }
        assertThat(there.keyRequests).hasValue(1);
        now = now.plus(Provider.PAUSE);
        provider.newest();
        assertThat(there.keyRequests).hasValue(2);
        now = now.plus(Provider.FRESH).plusSeconds(1);
        there.withdraw("ec");
        assertThat(provider.known().keys())
                .as("the result of the last read is used")
                .hasSize(3);
        for (int i = 0; i < 100 && provider.known().keys().size() == 3; i++) {
            Thread.sleep(50);
        }
        assertThat(provider.known().keys()).hasSize(2);
        assertThat(there.keyRequests).hasValue(3);
    }
}
