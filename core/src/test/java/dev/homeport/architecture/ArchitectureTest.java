package dev.homeport.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The map of core, and the guarantees that hold only while all code uses a certain class. */
class ArchitectureTest {
    /** Packages of core from the ground up. Each may use those in the lines above it, and its neighbours in its line. */
    private static final List<Set<String>> LEVELS = List.of(
            Set.of("problem"),
            Set.of("json", "collection"),
            Set.of("document"),
            Set.of("fleet"),
            Set.of("access"),
            Set.of("change"),
            Set.of("snapshot"),
            Set.of("write"),
            Set.of("observe", "rollout", "flux"),
            Set.of("store"));

    private static final String STORE = "dev.homeport.store..";

    /** Libraries every package of core may use. */
    private static final String[] LIBRARIES = {
        "java..",
        "javax..",
        "dev.homeport..",
        "tools.jackson..",
        "com.fasterxml.jackson.annotation..",
        "com.networknt..",
        "org.snakeyaml.engine..",
        "org.slf4j..",
        "org.jspecify.."
    };

    private static final String[] DATABASES = {"org.sqlite..", "org.postgresql..", "org.flywaydb.."};

    /** Where time and chance come from. Both are handed in, so that every test can decide them. */
    private static final Pattern CLOCK_OR_RANDOM = Pattern.compile(String.join(
            "|",
            "java\\.time\\.[A-Za-z.]+\\.now",
            "java\\.time\\.Clock\\.(system|tick).*",
            "java\\.time\\.InstantSource\\.system",
            "java\\.lang\\.System\\.(currentTimeMillis|nanoTime)",
            "java\\.lang\\.(Math|StrictMath)\\.random",
            "java\\.util\\.Date\\.<init>",
            "java\\.util\\.UUID\\.randomUUID",
            "java\\.util\\.(Random|SplittableRandom)\\.<init>",
            "java\\.util\\.concurrent\\.ThreadLocalRandom\\.current",
            "java\\.util\\.random\\.RandomGenerator\\.(of|getDefault)",
            "java\\.util\\.random\\.RandomGeneratorFactory\\..*",
            "java\\.security\\.SecureRandom\\.(<init>|getInstance.*)"));

    /** What opens a connection. Databases are reached through their drivers. */
    private static final Set<String> CONNECTIONS = Set.of(
            "java.net.Socket",
            "java.net.ServerSocket",
            "java.net.URL",
            "java.net.URLConnection",
            "java.net.HttpURLConnection",
            "java.nio.channels.SocketChannel",
            "java.nio.channels.ServerSocketChannel");

    private static final JavaClasses CORE = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void everyClassIsInAPackageOfTheMap() {
        String[] packages = LEVELS.stream()
                .flatMap(Set::stream)
                .map(ArchitectureTest::inside)
                .toArray(String[]::new);
        check(classes().should().resideInAnyPackage(packages));
    }

    @Test
    void packagesAreFreeOfCycles() {
        check(slices().matching("dev.homeport.(*)..").should().beFreeOfCycles());
    }

    @ParameterizedTest
    @MethodSource("levels")
    void packagesDependDownwardsOnly(int level) {
        String[] above = LEVELS.stream()
                .skip(level + 1L)
                .flatMap(Set::stream)
                .map(ArchitectureTest::inside)
                .toArray(String[]::new);
        String[] here = LEVELS.get(level).stream().map(ArchitectureTest::inside).toArray(String[]::new);
        check(noClasses()
                .that()
                .resideInAnyPackage(here)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above));
    }

    static Stream<Integer> levels() {
        return Stream.iterate(0, level -> level < LEVELS.size() - 1, level -> level + 1);
    }

    @Test
    void onlyTheStoreKnowsDatabases() {
        check(classes()
                .that()
                .resideOutsideOfPackage(STORE)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(LIBRARIES).and(not(resideInAnyPackage("java.sql..", "javax.sql..")))));
    }

    @Test
    void theStoreAddsNothingButDatabases() {
        check(classes()
                .that()
                .resideInAPackage(STORE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(LIBRARIES).or(resideInAnyPackage(DATABASES))));
    }

    /** Of the module {@code api}, core shares the codes of problems. The client there is for those who call a server. */
    @Test
    void coreCallsNobody() {
        check(noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.net.http..")
                        .or(resideInAnyPackage("dev.homeport.api..").and(not(partOf("dev.homeport.api.ErrorCode"))))
                        .or(describe("sockets", type -> CONNECTIONS.contains(type.getName())))));
    }

    @Test
    void onlyTheWriterAppendsToTheLog() {
        check(noClasses()
                .that(not(partOf("dev.homeport.write.Writer")))
                .and()
                .areNotAssignableTo("dev.homeport.change.ChangeLog") // one that forwards is a log itself
                .should()
                .accessTargetWhere(uses("dev.homeport.change.ChangeLog", "append")));
    }

    @Test
    void onlyTheFollowerPublishesSnapshots() {
        check(noClasses()
                .that(not(partOf("dev.homeport.snapshot.LogFollower")))
                .should()
                .accessTargetWhere(uses("dev.homeport.snapshot.LiveSnapshot", "publish")));
    }

    @Test
    void timeAndChanceAreHandedIn() {
        check(noClasses()
                .should()
                .accessTargetWhere(describe(
                        "reads a clock or makes a random number",
                        access -> CLOCK_OR_RANDOM
                                .matcher(access.getTarget().getOwner().getFullName() + "."
                                        + access.getTarget().getName())
                                .matches())));
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(false).check(CORE);
    }

    private static String inside(String name) {
        return "dev.homeport." + name + "..";
    }

    private static DescribedPredicate<JavaClass> partOf(String name) {
        return describe(
                "part of " + name,
                type -> type.getName().equals(name) || type.getName().startsWith(name + "$"));
    }

    private static DescribedPredicate<JavaAccess<?>> uses(String owner, String method) {
        return describe(
                "uses " + owner + "." + method,
                access -> access.getTarget().getName().equals(method)
                        && access.getTargetOwner().isAssignableTo(owner));
    }
}
