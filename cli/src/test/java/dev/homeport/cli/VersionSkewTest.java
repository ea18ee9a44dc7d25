package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.CliVersions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command line of another release, packaged as one, at a real server. */
class VersionSkewTest {
    @TempDir
    Path folder;

    /** Our own classes in a jar that says it is another release. */
    private Path release(String version) throws Exception {
        Path classes = Path.of(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        Path jar = folder.resolve("homeport-" + version + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream whole = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString();
                if (!name.startsWith("META-INF")) {
                    whole.putNextEntry(new ZipEntry(name));
                    Files.copy(file, whole);
                }
            }
        }
        return jar;
    }

    private Cli.Ran run(Cli cli, Path release, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                release + ":" + System.getProperty("java.class.path"),
                "dev.homeport.cli.Main"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(cli.variables);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        int exit = builder.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new Cli.Ran(exit, Files.readString(out), Files.readString(err));
    }

    @Test
    void anotherReleaseIsWarnedOnceAndStillDoesItsWork() throws Exception {
        try (Cli cli = new Cli(folder).signedIn()) {
            cli.run("adopt", "eu-dev-1", "--env", "dev", "--owner", "me").ok();
            everyAnswerSaysIt(cli.address());
            Path newer = release("99.0.0");
            Cli.Ran many = run(cli, newer, "doctor", "-v").ok();
            assertThat(many.err().lines().filter(line -> line.startsWith("> GET")))
                    .hasSizeGreaterThan(3);
            assertThat(many.err().lines().filter(line -> line.contains("warning")))
                    .singleElement()
                    .asString()
                    .contains("99.0.0", CliVersions.SUPPORTED.before(), "upgrade the server");
            Cli.Ran older =
                    run(cli, release("0.0.9"), "get", "clusters", "-o", "name").ok();
            assertThat(older.out()).isEqualTo("cluster/eu-dev-1\n");
            assertThat(older.err()).contains("0.0.9", "install a newer").hasLineCount(1);
            assertThat(run(cli, newer, "completion", "names").ok().err()).isEmpty();
            Cli.Ran same =
                    run(cli, release(ours()), "get", "clusters", "-o", "name").ok();
            assertThat(same.err()).isEmpty();
        }
    }

    /** Also to those who are not signed in: they are the ones who look for what is wrong. */
    private static void everyAnswerSaysIt(String address) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String path : List.of("/api/v2/clusters", "/api/v2/sign-in", "/nothing", "/openapi.json")) {
                HttpResponse<Void> answer = http.send(
                        HttpRequest.newBuilder(URI.create(address + path)).build(),
                        HttpResponse.BodyHandlers.discarding());
                assertThat(answer.headers().firstValue(CliVersions.HEADER))
                        .as(path)
                        .hasValue(CliVersions.SUPPORTED.header());
            }
        }
    }

    /** A release must say which command lines it works with. */
    @Test
    void thisReleaseAndTheNextAreSupportedAndTheOneAfterIsNot() throws IOException {
        Matcher numbers = Pattern.compile("(\\d+)\\.(\\d+)\\..*").matcher(ours());
        assertThat(numbers.matches()).isTrue();
        int minor = Integer.parseInt(numbers.group(2));
        assertThat(CliVersions.SUPPORTED.placeOf(ours())).hasValue(CliVersions.Place.SUPPORTED);
        assertThat(CliVersions.SUPPORTED.placeOf(numbers.group(1) + "." + (minor + 1) + ".9"))
                .hasValue(CliVersions.Place.SUPPORTED);
        assertThat(CliVersions.SUPPORTED.placeOf(numbers.group(1) + "." + (minor + 2)))
                .hasValue(CliVersions.Place.NEWER);
    }

    @Test
    void whatCannotBeUnderstoodIsPassedOver() {
        for (String header : List.of("", "0.1", ">=0.1", ">=a <b", ">=0.1 <", ">=0.1  <0.3", ">=1.2.3.4567890 <2")) {
            assertThat(CliVersions.read(header)).as(header).isEmpty();
        }
        CliVersions range = CliVersions.read(">=1.2 <2").orElseThrow();
        assertThat(range.placeOf("1.2.0-SNAPSHOT")).hasValue(CliVersions.Place.SUPPORTED);
        assertThat(range.placeOf("1.10")).hasValue(CliVersions.Place.SUPPORTED);
        assertThat(range.placeOf("1.1.99")).hasValue(CliVersions.Place.OLDER);
        assertThat(range.placeOf("2.0.0")).hasValue(CliVersions.Place.NEWER);
        assertThat(range.placeOf("unpackaged")).isEmpty();
    }

    private static String ours() throws IOException {
        String pom = Files.readString(Path.of(Objects.requireNonNull(System.getProperty("homeport.root")), "pom.xml"));
        Matcher version = Pattern.compile("<version>([^<]*)</version>").matcher(pom);
        assertThat(version.find()).isTrue();
        return version.group(1);
    }
}
