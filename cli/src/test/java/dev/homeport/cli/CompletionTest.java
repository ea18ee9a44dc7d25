package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.reference.FishCompletion;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TAB in the real zsh and the real fish ({@link ReferenceTest} has bash); no program of ours is started by it. */
class CompletionTest {
    @TempDir
    Path folder;

    private Path runs;

    @BeforeEach
    void aHomeportThatTellsOfBeingRun() throws IOException {
        Path names = Files.createDirectories(folder.resolve("cache/homeport/names"));
        Files.writeString(names.resolve("clusters"), "eu-dev-1\neu-dev-2\nus-dev-1\n");
        Files.writeString(names.resolve("platform-components"), "cert-manager\ngrafana\n");
        Files.writeString(names.resolve("environments"), "dev\nprod\n");
        runs = folder.resolve("runs");
        Path homeport = Files.createDirectory(folder.resolve("bin")).resolve("homeport");
        Files.writeString(homeport, "#!/bin/sh\necho run >> '" + runs + "'\necho \"RAN[$*]\"\n");
        assertThat(homeport.toFile().setExecutable(true)).isTrue();
    }

    private Process start(ProcessBuilder builder) throws IOException {
        Map<String, String> environment = builder.environment();
        environment.put("PATH", folder.resolve("bin") + ":" + environment.get("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("XDG_DATA_HOME", folder.resolve("data").toString());
        environment.put("LC_ALL", "C.UTF-8");
        return builder.directory(folder.toFile()).start();
    }

    @Test
    void fishOffersCommandsOptionsTypesNamesAndValues() throws Exception {
        RealShell fish = RealShell.named("fish");
        Files.writeString(folder.resolve("homeport.fish"), FishCompletion.of(ReferenceTest.whole()));
        Map<String, List<String>> wanted = new LinkedHashMap<>();
        wanted.put("homeport desc", List.of("describe"));
        wanted.put("homeport token r", List.of("revoke", "rotate"));
        wanted.put("homeport get clusters --wat", List.of("--watch"));
        wanted.put("homeport get clus", List.of("clusters"));
        wanted.put("homeport get cluster eu-", List.of("eu-dev-1", "eu-dev-2"));
        wanted.put("homeport get cl us", List.of("us-dev-1"));
        wanted.put("homeport get -l env=dev clus", List.of("clusters"));
        wanted.put("homeport describe cluster/us", List.of("cluster/us-dev-1"));
        wanted.put("homeport pause ", List.of("eu-dev-1", "eu-dev-2", "us-dev-1"));
        wanted.put("homeport assign ", List.of("cert-manager", "grafana"));
        wanted.put("homeport get clusters -o js", List.of("json", "jsonl"));
        wanted.put("homeport adopt x --env ", List.of("dev", "prod"));
        wanted.put("homeport apply -f homeport.f", List.of("homeport.fish"));
        wanted.put("homeport get ../../x a", List.of());
        StringBuilder script = new StringBuilder("source homeport.fish\n");
        wanted.keySet()
                .forEach(line -> script.append("echo '? ")
                        .append(line)
                        .append("'; complete -C '")
                        .append(line)
                        .append("'\n"));
        Process process =
                start(fish.process(List.of(fish.program().toString(), "--no-config", "-c", script.toString())));
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        Map<String, List<String>> offered = new LinkedHashMap<>();
        List<String> last = new ArrayList<>();
        for (String line : said.lines().toList()) {
            if (line.startsWith("? ")) {
                last = new ArrayList<>();
                offered.put(line.substring(2), last);
            } else {
                last.add(line.split("\t", 2)[0]);
            }
        }
        assertThat(offered).isEqualTo(wanted);
        assertThat(runs).doesNotExist();
    }

    /** A person at a terminal who presses TAB and then Enter: what is run is what was completed. */
    @Test
    void zshCompletesWhatIsTyped() throws Exception {
        RealShell zsh = RealShell.named("zsh");
        try (Cli cli = new Cli(folder)) {
            Files.writeString(
                    folder.resolve("homeport.zsh"),
                    cli.run("completion", "zsh").ok().out());
        }
        Files.writeString(
                folder.resolve("rc"),
                zsh.zshFindsItself() + "zmodload zsh/zle\nsource ./homeport.zsh\nPS1=''\necho 'rea''dy'\n");
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put("homeport desc", "describe");
        wanted.put("homeport token rot", "token rotate");
        wanted.put("homeport get clusters --wat", "get clusters --watch");
        wanted.put("homeport get clus", "get clusters");
        wanted.put("homeport get cluster eu-", "get cluster eu-dev-");
        wanted.put("homeport get cl us", "get cl us-dev-1");
        wanted.put("homeport get -l env=dev clus", "get -l env=dev clusters");
        wanted.put("homeport describe cluster/us", "describe cluster/us-dev-1");
        wanted.put("homeport assign g", "assign grafana");
        wanted.put("homeport get clusters -o ya", "get clusters -o yaml");
        wanted.put("homeport adopt x --env p", "adopt x --env prod");
        wanted.put("homeport get ../../x a", "get ../../x a");
        Process terminal =
                start(zsh.process(List.of("script", "-qec", "stty -echo; '" + zsh.program() + "' -f -i", "/dev/null")));
        try (Writer keys = terminal.outputWriter(StandardCharsets.UTF_8)) {
            keys.append("source ./rc\n").flush();
            until(terminal.getInputStream(), "ready");
            for (Map.Entry<String, String> one : wanted.entrySet()) {
                keys.append(one.getKey()).append('\t').flush();
                keys.append('\n').flush();
                until(terminal.getInputStream(), "RAN[");
                assertThat(until(terminal.getInputStream(), "]")).isEqualTo(one.getValue() + "]");
            }
            keys.append("exit\n").flush();
            assertThat(terminal.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroyForcibly);
            terminal.destroyForcibly();
        }
        assertThat(Files.readAllLines(runs)).as("by Enter alone").hasSize(wanted.size());
    }

    /** Reads until a text has come. */
    private static String until(InputStream in, String wanted) throws IOException {
        StringBuilder said = new StringBuilder();
        while (said.indexOf(wanted) < 0) {
            int next = in.read();
            assertThat(next).as("%s was not said, but: %s", wanted, said).isNotNegative();
            said.append((char) next);
        }
        return said.toString();
    }
}
