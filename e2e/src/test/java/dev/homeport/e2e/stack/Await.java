package dev.homeport.e2e.stack;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for conditions, never for time to pass. */
public final class Await {
    /** Long enough for a machine that does three other things; what is right is there much sooner. */
    public static final Duration LIMIT = Duration.ofSeconds(90);

    private static final long PAUSE_MS = 100;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        value(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty(), () -> "");
    }

    /** @param state shown when it does not come true */
    public static void until(String what, BooleanSupplier condition, Supplier<String> state) {
        value(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty(), state);
    }

    public static <T> T value(String what, Callable<Optional<T>> attempt) {
        return value(what, attempt, () -> "");
    }

    /** What an attempt comes to; one that throws has come to nothing yet. */
    public static <T> T value(String what, Callable<Optional<T>> attempt, Supplier<String> state) {
        long end = System.nanoTime() + LIMIT.toNanos();
        @Nullable Throwable last = null;
        while (System.nanoTime() < end) {
            try {
                Optional<T> value = attempt.call();
                if (value.isPresent()) {
                    return value.get();
                }
                last = null;
            } catch (Exception | AssertionError e) {
                last = e;
            }
            pause();
        }
        throw new AssertionError(
                "not within " + LIMIT.toSeconds() + " s: " + what + "\n" + reason(last) + described(state), last);
    }

    /** In the message, as a list of failures shows no causes. */
    private static String reason(@Nullable Throwable last) {
        return last == null ? "" : "the last attempt: " + last + "\n";
    }

    /** What is described may be away too, which must not hide what was waited for. */
    private static String described(Supplier<String> state) {
        try {
            return state.get();
        } catch (RuntimeException | AssertionError e) {
            return "and its state cannot be shown: " + e;
        }
    }

    /** Until the assertions hold. */
    public static void holds(String what, Runnable assertions) {
        value(what, () -> {
            assertions.run();
            return Optional.of(true);
        });
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
