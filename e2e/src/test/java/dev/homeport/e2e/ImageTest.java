package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Folders;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the container file copies is enough to run from. There is no container engine here, so the copying is done by hand. */
@Order(9)
class ImageTest {
    private static final Pattern COPY = Pattern.compile("(?m)^COPY --from=build /src/(\\S+) /(\\S+)$");

    @TempDir
    Path root;

    @Test
    void whatIsCopiedRuns() throws Exception {
        String file = Files.readString(Folders.ROOT.resolve("deploy/Containerfile"));
        List<MatchResult> copies = COPY.matcher(file).results().toList();
        assertThat(file.lines().filter(line -> line.startsWith("COPY --from"))).hasSameSizeAs(copies);
        for (MatchResult copy : copies) {
            copy(Folders.ROOT.resolve(copy.group(1)), copy.group(2));
        }
        Path program = root.resolve("opt/homeport/homeport");
        assertThat(file)
                .contains("ENTRYPOINT [\"/opt/homeport/homeport\"]", "RUN [\"/opt/homeport/build-tools/fast-starts\"]");
        run(root.resolve("opt/homeport/build-tools/fast-starts").toString());
        assertThat(run(program.toString(), "version")).isNotBlank().doesNotContain("building", "preparing");
        Path data = Files.createDirectories(root.resolve("var/lib/homeport"));
        Process server = new ProcessBuilder(environment(
                        program.toString(),
                        "serve",
                        "--data",
                        data.toString(),
                        "--admin-listen",
                        "127.0.0.1:0",
                        "--poll-listen",
                        "127.0.0.1:0"))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
            List<String> lines = new ArrayList<>();
            for (String line = said.readLine(); line != null && !line.equals("ready"); line = said.readLine()) {
                lines.add(line);
            }
            assertThat(lines).noneMatch(line -> line.contains("building") || line.contains("preparing"));
            String poll = lines.stream()
                    .filter(line -> line.startsWith("poll plane:"))
                    .map(line -> line.substring("poll plane:".length()).strip())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(lines.toString()));
            HttpURLConnection ready =
                    (HttpURLConnection) URI.create(poll + "/ready").toURL().openConnection();
            assertThat(ready.getResponseCode()).isEqualTo(200);
        } finally {
            server.destroy();
            assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** As COPY does: a folder's content into a folder, a file into a folder that ends with a slash. */
    private void copy(Path from, String to) throws IOException {
        assertThat(from).as("copied by the container file").exists();
        Path target = root.resolve(to.endsWith("/") ? to + from.getFileName() : to);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Path copy = target.resolve(from.relativize(one).toString());
                if (Files.isDirectory(one)) {
                    Files.createDirectories(copy);
                } else {
                    Files.createDirectories(copy.getParent());
                    Files.copy(one, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static List<String> environment(String... command) {
        List<String> all =
                new ArrayList<>(List.of("env", "-u", "JAVA_OPTS", "JAVA_HOME=" + System.getProperty("java.home")));
        all.addAll(List.of(command));
        return all;
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(environment(command))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
