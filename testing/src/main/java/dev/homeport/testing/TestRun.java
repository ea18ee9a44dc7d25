package dev.homeport.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes, or single methods written {@code Class#method}, in this JVM until one fails. Exit code 0: all passed;
 * 1: one failed; 2: nothing was run.
 */
public final class TestRun implements TestExecutionListener {
    /** The line that names the test which failed. */
    public static final String FAILED = "FAILED ";

    private final CancellationToken afterFailure = CancellationToken.create();
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    private TestRun() {}

    public static void main(String[] args) {
        System.exit(new TestRun().run(List.of(args)));
    }

    private int run(List<String> tests) {
        LauncherDiscoveryRequest found = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests.stream().map(TestRun::selector).toList())
                .build();
        LauncherFactory.create()
                .execute(LauncherExecutionRequestBuilder.request(found)
                        .listeners(this)
                        .cancellationToken(afterFailure)
                        .build());
        return failed.get() > 0 ? 1 : passed.get() > 0 ? 0 : 2;
    }

    private static DiscoverySelector selector(String test) {
        return test.contains("#") ? selectMethod(test) : selectClass(test);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failed.incrementAndGet();
            System.out.println(FAILED + test.getDisplayName());
            result.getThrowable().ifPresent(Throwable::printStackTrace);
            afterFailure.cancel();
        } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            passed.incrementAndGet();
        }
    }
}
