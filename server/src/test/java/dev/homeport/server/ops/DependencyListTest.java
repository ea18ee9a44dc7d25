package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lists of dependencies that are kept by hand, and the program of {@code ./check} that compares them with the poms. */
class DependencyListTest {
    private static final Path PROJECT = Path.of(Objects.requireNonNull(System.getProperty("homeport.root")));

    @TempDir
    Path root;

    private record Ran(int code, String said) {}

    /** The poms and lists as they are, without anything that was built. */
    @BeforeEach
    void copy() throws IOException {
        try (Stream<Path> all = Files.list(PROJECT)) {
            for (Path module :
                    all.filter(one -> Files.exists(one.resolve("pom.xml"))).toList()) {
                Path copy = Files.createDirectories(root.resolve(module.getFileName()));
                Files.copy(module.resolve("pom.xml"), copy.resolve("pom.xml"));
            }
        }
        Files.copy(PROJECT.resolve("pom.xml"), root.resolve("pom.xml"));
        Path tools = Files.createDirectories(root.resolve("build-tools"));
        for (String list : new String[] {"dependencies.tsv", "known-vulnerable.tsv"}) {
            Files.copy(PROJECT.resolve("build-tools").resolve(list), tools.resolve(list));
        }
    }

    private Ran run(String... more) throws Exception {
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        PROJECT.resolve("build-tools/Dependencies.java")
                                                .toString(),
                                        root.toString(),
                                        "2026-11-16"),
                                Stream.of(more))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), said);
    }

    @Test
    void everyVersionOfThePomsHasARowAndNoneIsVulnerable() throws Exception {
        Ran ran = run();
        assertThat(ran.said()).contains("netty", "months").doesNotContain("FAILED");
        assertThat(ran.code()).isZero();
    }

    @Test
    void aVersionWithoutARowFails() throws Exception {
        Path pom = root.resolve("pom.xml");
        Files.writeString(pom, Files.readString(pom).replaceFirst("<vertx.version>[^<]*<", "<vertx.version>99.0.0<"));
        Ran ran = run();
        assertThat(ran.said()).contains("FAILED: build-tools/dependencies.tsv has no row for vertx 99.0.0");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void aVersionThatIsWrittenOutFails() throws Exception {
        Path pom = root.resolve("pom.xml");
        Files.writeString(
                pom, Files.readString(pom).replaceFirst("<version>\\$\\{picocli.version}<", "<version>4.7.7<"));
        Ran ran = run();
        assertThat(ran.said()).contains("FAILED: the version of picocli is not a property");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void aVulnerableVersionInAPomFails() throws Exception {
        for (String file : new String[] {"pom.xml", "build-tools/dependencies.tsv"}) {
            Path path = root.resolve(file);
            Files.writeString(
                    path,
                    Files.readString(path).replaceFirst("(<netty.version>|netty\t)[0-9.]*Final", "$14.2.10.Final"));
        }
        Ran ran = run();
        assertThat(ran.said())
                .contains("io.netty:netty-bom 4.2.10.Final (pom) is vulnerable: CVE-2026-42577")
                .doesNotContain("has no row");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void aVulnerableLibraryThatCameWithAnotherFails() throws Exception {
        Path lib = Files.createDirectories(root.resolve("server/target/lib"));
        jar(lib.resolve("renamed.jar"), "groupId=io.netty\nartifactId=netty-handler\nversion=4.2.16.Final\n");
        jar(lib.resolve("logback-core-1.5.24.jar"), "");
        jar(lib.resolve("postgresql-42.7.11.jar"), "");
        Ran ran = run();
        assertThat(ran.said())
                .contains(
                        "io.netty:netty-handler 4.2.16.Final (server) is vulnerable: CVE-2026-62243, fixed in 4.2.17.Final",
                        "logback-core 1.5.24 (server) is vulnerable: CVE-2026-1225")
                .doesNotContain("postgresql 42.7.11 (server) is vulnerable");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void anSbomHasEveryLibrary() throws Exception {
        Path lib = Files.createDirectories(root.resolve("server/target/lib"));
        jar(lib.resolve("x-1.0.jar"), "groupId=org.example\nartifactId=x\nversion=1.0\n");
        Path sbom = root.resolve("sbom.json");
        Files.writeString(sbom, "{\"bomFormat\": \"CycloneDX\", \"purl\": \"pkg:maven/org.example/x@1.0?type=jar\"}");
        assertThat(run(sbom.toString()).said()).doesNotContain("FAILED");
        Files.writeString(sbom, "{\"bomFormat\": \"CycloneDX\"}");
        assertThat(run(sbom.toString()).said()).contains("FAILED: the SBOM lacks org.example:x 1.0 (server)");
    }

    private static void jar(Path file, String properties) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new JarEntry(properties.isEmpty() ? "x" : "META-INF/maven/g/a/pom.properties"));
            out.write(properties.getBytes(StandardCharsets.UTF_8));
        }
    }
}
