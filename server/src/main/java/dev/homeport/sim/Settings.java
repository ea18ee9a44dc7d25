package dev.homeport.sim;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How simulated clusters behave.
 *
 * @param server where they poll
 * @param authority a PEM file with the certificate authorities to trust instead of the system's
 * @param pace how often they poll
 * @param maxRetryDelay the operator's flag: the longest time between polls that fail
 * @param applying the longest that a component takes to come up
 * @param heartbeat how often a Kustomization reports that it is well
 * @param silent clusters that do not poll
 * @param shape what they poll for
 * @param limit their providers' {@code filter.limit}
 * @param warmUp the time in which polls ramp up and nothing is measured, because this program is slow at first
 */
public record Settings(
        URI server,
        Optional<Path> authority,
        Pace pace,
        Duration maxRetryDelay,
        Duration applying,
        Duration heartbeat,
        Ailment ailment,
        Set<String> silent,
        Shape shape,
        int limit,
        Duration warmUp) {

    /** What generated manifests say, and the most that a provider can. */
    public static final int LIMIT = 10_000;

    /** Shapes of answers. */
    public enum Shape {
        /** One input with the whole list in it, checked by a template before it is applied. */
        SETS,
        /** An input for each item, as flux-resourceset has it. */
        FLAT
    }

    /** Flux's own time between polls that fail, at most. */
    public static final Duration FLUX_RETRY_DELAY = Duration.ofMinutes(15);

    private static final Duration FLUX_INTERVAL = Duration.ofMinutes(10);

    /** Each provider polls once in an interval; or all of them together so many times a second. */
    public sealed interface Pace {
        record Every(Duration interval) implements Pace {}

        record Rate(double pollsPerSecond) implements Pace {}
    }

    public static Settings of(URI server, Pace pace) {
        return new Settings(
                server,
                Optional.empty(),
                pace,
                FLUX_RETRY_DELAY,
                Duration.ofSeconds(2),
                FLUX_INTERVAL,
                Ailment.NONE,
                Set.of(),
                Shape.SETS,
                LIMIT,
                Duration.ZERO);
    }

    public Settings trusting(Optional<Path> file) {
        return new Settings(
                server, file, pace, maxRetryDelay, applying, heartbeat, ailment, silent, shape, limit, warmUp);
    }

    public Settings retryingWithin(Duration delay) {
        return new Settings(server, authority, pace, delay, applying, heartbeat, ailment, silent, shape, limit, warmUp);
    }

    public Settings ailing(Ailment which, Set<String> silentOnes) {
        return new Settings(
                server, authority, pace, maxRetryDelay, applying, heartbeat, which, silentOnes, shape, limit, warmUp);
    }

    public Settings shaped(Shape other, int most) {
        return new Settings(
                server, authority, pace, maxRetryDelay, applying, heartbeat, ailment, silent, other, most, warmUp);
    }

    public Settings warmingUp(Duration time) {
        return new Settings(
                server, authority, pace, maxRetryDelay, applying, heartbeat, ailment, silent, shape, limit, time);
    }
}
