package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.RunningServer;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line in a process of its own, against a real server. */
@OutsideIn
class CommandLineTest {
    private static final String FLEET = """
            type: platform_component
            id: cert-manager
            spec:
              kind: helm
              component_path: core/cert-manager/1.16.2
              component_version: 1.16.2
              oci_url: oci://registry.example.com/platform/cert-manager
              oci_tag: v1.16.2
            ---
            type: cluster
            id: eu-dev-1
            spec:
              cluster_name: eu-dev-1
              cluster_dns: eu-dev-1.k8s.example.com
              environment: dev
              owner: team-platform
              platform_components:
                - id: cert-manager
            """;

    @TempDir
    Path directory;

    RunningServer server;
    String address;

    record Ran(int exit, String out, String err) {}

    @BeforeEach
    void start() {
        Map<String, String> flags = Map.of(
                "--data", directory.resolve("data").toString(),
                "--admin-listen", "127.0.0.1:0",
                "--poll-listen", "127.0.0.1:0");
        server = RunningServer.start(ServerSettings.of(SettingSources.read(flags, Map.of(), Optional.empty())));
        address = "http://" + server.admin().orElseThrow();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Ran homeport(String input, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.homeport.cli.Main"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("XDG_CONFIG_HOME", directory.toString());
        builder.environment().put("XDG_CACHE_HOME", directory.toString());
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        int exit = process.waitFor();
        return new Ran(exit, Files.readString(out), Files.readString(err));
    }

    private void signIn() throws IOException, InterruptedException {
        Ran added = homeport(server.firstToken().orElseThrow(), "context", "add", "local", address, "--token-stdin");
        assertThat(added.exit()).as(added.err()).isZero();
    }

    @Test
    @Requirement("C2")
    void aFileBecomesOneCommitAndWhatIsReadCanBeWrittenBack() throws Exception {
        signIn();
        Path file = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
        Ran applied = homeport("", "apply", "-f", file.toString(), "--reason", "first cluster");
        assertThat(applied.exit()).as(applied.err()).isZero();
        assertThat(applied.out()).contains("+ cluster/eu-dev-1", "on 1 cluster (", "1 cluster affected", "revision 3");
        Ran read = homeport("", "get", "cluster/eu-dev-1", "-o", "yaml");
        assertThat(read.out()).contains("cluster_dns: \"eu-dev-1.k8s.example.com\"");
        Ran again = homeport(read.out(), "apply", "-f", "-");
        assertThat(again.exit()).as(again.err()).isZero();
        assertThat(homeport("", "get", "clusters", "-o", "name").out()).isEqualTo("cluster/eu-dev-1\n");
        assertThat(homeport("", "get", "cluster", "eu-dev-1", "-o", "json").out())
                .contains("\"revision\" : 3");
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        signIn();
        Path file = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
        assertThat(homeport("", "apply", "-f", file.toString(), "--dry-run").out())
                .contains("nothing was changed");
        assertThat(homeport("", "get", "clusters", "-o", "name").out()).isEmpty();
    }

    @Test
    void failuresSayWhatToDoAndHaveTheirExitCodes() throws Exception {
        assertThat(homeport("", "get", "clusters").exit()).as("no server known").isEqualTo(2);
        Ran unreachable = homeport("", "get", "clusters", "--server", "http://127.0.0.1:1");
        assertThat(unreachable.exit()).isEqualTo(8);
        assertThat(unreachable.err()).contains("next:");
        assertThat(homeport("", "get", "clusters", "--server", address).exit())
                .as("no token")
                .isEqualTo(4);
        signIn();
        Ran missing = homeport("", "get", "cluster", "nothing");
        assertThat(missing.exit()).isEqualTo(1);
        assertThat(missing.err()).contains("cluster/nothing", "next:");
        Ran invalid = homeport("type: cluster\nid: c1\nspec: {cluster_name: c1}\n", "apply", "-f", "-");
        assertThat(invalid.exit()).isEqualTo(1);
        assertThat(invalid.err()).contains("cluster_dns");
        assertThat(homeport("", "get", "clusters", "--nonsense").exit()).isEqualTo(2);
    }

    @Test
    void aClustersManifestsArePrintedForKubectlOrWrittenForThisUserAlone() throws Exception {
        signIn();
        Path file = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
        assertThat(homeport("", "apply", "-f", file.toString()).exit()).isZero();
        Ran unknown = homeport("", "bootstrap", "eu-dev-1");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("poll_url");
        Ran printed =
                homeport("", "bootstrap", "eu-dev-1", "--url", "https://homeport.example.com", "--interval", "2m");
        assertThat(printed.exit()).as(printed.err()).isZero();
        assertThat(printed.out()).startsWith("---\n").contains("kind: \"ResourceSet\"", "reconcileEvery: \"2m\"");
        assertThat(printed.err()).contains("made token/t");
        Path folder = directory.resolve("manifests");
        Ran written = homeport(
                "",
                "bootstrap",
                "eu-dev-1",
                "--url",
                "https://homeport.example.com",
                "--format",
                "kustomize",
                "--into",
                folder.toString(),
                "--types",
                "namespaces,rolebindings",
                "--name",
                "objects=platform-{id}");
        assertThat(written.exit()).as(written.err()).isZero();
        assertThat(written.out()).isEmpty();
        assertThat(folder.resolve("kustomization.yaml")).exists();
        assertThat(Files.getPosixFilePermissions(folder.resolve("secrets.yaml")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Ran third = homeport("", "bootstrap", "eu-dev-1", "--url", "https://homeport.example.com");
        assertThat(third.err()).contains("replace");
        assertThat(homeport("", "bootstrap", "eu-dev-1", "--url", "https://homeport.example.com", "--replace")
                        .exit())
                .isZero();
        Path more = Files.writeString(directory.resolve("more.yaml"), FLEET.replace("eu-dev-1", "eu-dev-2"));
        assertThat(homeport("", "apply", "-f", more.toString()).exit()).isZero();
        String[] several = {"bootstrap", "-l", "env=dev", "--url", "https://homeport.example.com", "--format", "secrets"
        };
        Ran mixed = homeport("", several);
        assertThat(mixed.exit()).as(mixed.err()).isEqualTo(2);
        assertThat(mixed.err()).contains("--into");
        Path renewed = directory.resolve("renewed");
        Ran all = homeport(
                "",
                Stream.concat(Stream.of(several), Stream.of("--replace", "--into", renewed.toString()))
                        .toArray(String[]::new));
        assertThat(all.exit()).as(all.err()).isZero();
        assertThat(all.out()).isEmpty();
        assertThat(all.err()).contains("made tokens for 2 clusters");
        assertThat(renewed.resolve("eu-dev-1/secrets.yaml")).content().contains("homeport-token", "homeport-events");
        assertThat(renewed.resolve("eu-dev-2/secrets.yaml")).content().doesNotContain("ResourceSet");
        Path git = directory.resolve("git");
        Ran layout = homeport("", "git-layout", git.toString(), "--repository", "https://git.example.com/fleet.git");
        assertThat(layout.exit()).as(layout.err()).isZero();
        assertThat(git.resolve("clusters/dev/eu-dev-1/kustomization.yaml")).exists();
        assertThat(git.resolve("clusters/base/kustomization.yaml")).exists();
    }
}
