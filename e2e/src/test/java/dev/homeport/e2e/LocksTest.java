package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.homeport.e2e.stack.Stack;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.platform.commons.support.AnnotationSupport;

/** Tests run beside each other, so who uses what all of them share says so; the failure otherwise is another test's, now and then. */
class LocksTest {
    private static final Map<String, Set<String>> LOCKS_OF = Map.ofEntries(
            Map.entry("Managed.first", Set.of(Stack.EMBEDDED, Stack.FIRST)),
            Map.entry("Managed.second", Set.of(Stack.EMBEDDED, Stack.SECOND)),
            Map.entry("Managed.onPostgres", Set.of(Stack.POSTGRES)),
            Map.entry("Managed.atDefaultLimit", Set.of(Stack.EMBEDDED, Stack.DEFAULT_LIMIT)),
            Map.entry("Stack.embedded", Set.of(Stack.EMBEDDED)),
            Map.entry("Stack.gateway", Set.of(Stack.EMBEDDED, Stack.FIRST)),
            Map.entry("Stack.first", Set.of(Stack.FIRST)),
            Map.entry("Stack.second", Set.of(Stack.SECOND)),
            Map.entry("Stack.onPostgres", Set.of(Stack.POSTGRES)),
            Map.entry("Stack.third", Set.of(Stack.POSTGRES)),
            Map.entry("Stack.fourth", Set.of(Stack.DEFAULT_LIMIT)));
    private static final Set<String> LOCKS =
            LOCKS_OF.values().stream().flatMap(Set::stream).collect(Collectors.toSet());

    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages("dev.homeport.e2e");

    @Test
    void whoeverUsesWhatIsSharedTakesItsLock() {
        Map<String, String> missing = new TreeMap<>();
        int users = 0;
        for (JavaClass imported : CLASSES) {
            Class<?> type = imported.reflect();
            List<Method> tests = Arrays.stream(type.getDeclaredMethods())
                    .filter(LocksTest::isTest)
                    .toList();
            Set<String> needed = needed(imported);
            if (tests.isEmpty() || needed.isEmpty() || type.isAnnotationPresent(Isolated.class)) {
                continue;
            }
            users++;
            Set<String> ofClass = locks(type);
            Set<String> taken = new HashSet<>(ofClass);
            for (Method test : tests) {
                Set<String> ofTest = locks(test);
                taken.addAll(ofTest);
                if (ofClass.isEmpty() && ofTest.isEmpty()) {
                    missing.put(type.getSimpleName() + "." + test.getName(), "one of " + needed);
                }
            }
            needed.removeAll(taken);
            if (!needed.isEmpty()) {
                missing.put(type.getSimpleName(), needed.toString());
            }
        }
        assertThat(users).as("tests that use something shared").isGreaterThan(10);
        assertThat(missing).as("what lacks which @ResourceLock").isEmpty();
    }

    /** What is new in {@link Stack} or {@link Managed} is known here too. */
    @Test
    void everythingSharedHasItsLock() {
        Set<String> named = LOCKS_OF.keySet().stream()
                .map(name -> name.substring(name.indexOf('.') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> shared = new TreeSet<>();
        for (Class<?> type : List.of(Managed.class, Stack.class)) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method ->
                            !method.isSynthetic() && !java.lang.reflect.Modifier.isPrivate(method.getModifiers()))
                    .filter(method -> java.lang.reflect.Modifier.isStatic(method.getModifiers()))
                    .filter(method -> method.getParameterCount() == 0)
                    .forEach(method -> shared.add(method.getName()));
        }
        // These are constant, or independent of other tests.
        shared.removeAll(Set.of("network", "pki", "connections", "registry"));
        assertThat(shared).isEqualTo(named);
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Test.class)
                || AnnotationSupport.isAnnotated(method, TestFactory.class);
    }

    private static Set<String> locks(AnnotatedElement element) {
        return AnnotationSupport.findRepeatableAnnotations(element, ResourceLock.class).stream()
                .map(ResourceLock::value)
                .filter(LOCKS::contains)
                .collect(Collectors.toSet());
    }

    private static Set<String> needed(JavaClass type) {
        Set<String> needed = new HashSet<>();
        for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
            needed.addAll(
                    LOCKS_OF.getOrDefault(call.getTargetOwner().getSimpleName() + "." + call.getName(), Set.of()));
        }
        return needed;
    }
}
