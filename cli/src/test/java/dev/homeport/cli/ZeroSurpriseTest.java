package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Mistyped commands and their messages. */
class ZeroSurpriseTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(folder).signedIn();
        for (String name : List.of("eu-1", "eu-2", "eu-3")) {
            cli.run("adopt", name, "--env", "dev", "--owner", "me", "-l", "tier=edge")
                    .ok();
        }
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private record Wrong(int exit, String said, String... words) {}

    @Test
    void whateverIsWrongSaysWhatToDo() {
        List<Wrong> all = List.of(
                new Wrong(2, "this version has no rollouts", "rollout", "status", "ro-1"),
                new Wrong(2, "there is no command homeport token creat", "token", "creat"),
                new Wrong(2, "homeport get", "gett", "clusters"),
                new Wrong(2, "expected one of [TABLE, WIDE, NAME,", "get", "clusters", "-o", "xml"),
                new Wrong(2, "this version has no policies and no exemptions", "get", "exemptions"),
                new Wrong(2, "there are access-grants", "get", "clowns"),
                new Wrong(2, "-o json", "get", "clusters", "--jq", ".["),
                new Wrong(1, "cluster/nothing", "get", "cluster/nothing", "--watch"),
                new Wrong(2, "set EDITOR", "edit", "cluster/eu-1"),
                new Wrong(2, "a folder, or -", "apply", "-f", "nothing.yaml"),
                new Wrong(2, "homeport get -o yaml", "apply", "-f", "-"),
                new Wrong(2, "write it like 90s", "label", "cluster/eu-1", "a=b", "--timeout", "soon"),
                new Wrong(2, "name it as TYPE/NAME", "label", "clusters", "-A", "a=b", "--if-match", "\"1-1\""),
                new Wrong(3, "next:", "label", "cluster/eu-1", "a=b", "--if-match", "\"1-1\""),
                new Wrong(2, "--token-stdin", "login", cli.address(), "--device"),
                new Wrong(2, "write NAME or cluster/NAME", "pause", "workspace/x"),
                new Wrong(2, "such as {owner: team-a}", "patch", "cluster/eu-1", "-p", "nonsense"),
                new Wrong(2, "homeport get clusters", "pin", "x", "--oci-tag", "1", "-l", "env=prod"),
                new Wrong(2, "--oci-url", "catalog", "add", "a", "--path", "a/1", "--oci-tag", "1"));
        for (Wrong one : all) {
            Cli.Ran ran = cli.run(one.words()).fails(one.exit());
            assertThat(ran.err())
                    .as(String.join(" ", one.words()))
                    .startsWith("error: ")
                    .contains(one.said());
            assertThat(ran.out()).as(String.join(" ", one.words())).doesNotContain("revision");
        }
        assertThat(cli.run("get", "cluster/eu-1", "-o", "json").ok().out()).doesNotContain("\"a\"");
    }

    @Test
    void whatIsWrongInTheSameWayManyTimesIsSaidOnce() {
        assertThat(cli.run("assign", "nothing", "-A", "--reason", "x").fails(1).err())
                .containsOnlyOnce("and 2 more: unknown platform component nothing");
        assertThat(cli.run("adopt", "eu-4", "--env", "nowhere", "--owner", "me")
                        .fails(1)
                        .err())
                .hasLineCount(2)
                .contains("nowhere", "next:");
    }

    @Test
    void aColumnThatNobodyHasIsLikelyMistyped() {
        Cli.Ran ran =
                cli.run("get", "cl", "--columns", "name,labels.tier,nonsense").ok();
        assertThat(ran.out()).contains("eu-1", "edge");
        assertThat(ran.err()).hasLineCount(1).contains("nonsense", "next-poll");
    }

    @Test
    void whatIsToldIsThereForProgramsToo() {
        cli.run("catalog", "add", "a", "--path", "a/1", "--oci-tag", "1", "--oci-url", "oci://r.example.com/p")
                .ok();
        cli.run("assign", "a", "--filter", "id=eu-1", "--yes").ok();
        String served = "platform-components";

        JsonNode one = json(cli.run("describe", "cluster/eu-1", "-o", "json").ok());
        assertThat(one.at("/document/id").stringValue()).isEqualTo("eu-1");
        assertThat(one.at("/served/" + served + "/items/0/id").stringValue()).isEqualTo("a");
        assertThat(one.at("/changes/0/revision").isNumber()).isTrue();
        assertThat(json(cli.run("describe", "cluster", "eu-1", "eu-2", "-o", "json")
                                .ok())
                        .size())
                .isEqualTo(2);
        assertThat(cli.run("describe", "cluster", "eu-1", "eu-2", "-o", "yaml")
                        .ok()
                        .out()
                        .split("---\n", -1))
                .hasSize(3);

        JsonNode clusters =
                json(cli.run("tree", "environment/dev", "-o", "json").ok());
        assertThat(clusters.path("name").stringValue()).isEqualTo("environment/dev");
        assertThat(clusters.at("/children/0/children/0/name").stringValue()).isEqualTo("cluster/eu-1");
        assertThat(clusters.at("/children/0/children/0/state").isString()).isTrue();
        assertThat(json(cli.run("tree", "cluster/eu-1", "-o", "json").ok())
                        .at("/children/0/children/0")
                        .toString())
                .isEqualTo("{\"name\":\"a\",\"assigned_by\":\"cluster/eu-1\"}");

        JsonNode two = json(cli.run("compare", "eu-1", "eu-2", "-o", "json").fails(1));
        assertThat(two.path("first").stringValue()).isEqualTo("eu-1");
        assertThat(two.at("/types/" + served + "/items/0/change").stringValue()).isEqualTo("removed");
        assertThat(two.at("/types/" + served + "/items/0/first/id").stringValue())
                .isEqualTo("a");
        assertThat(json(cli.run("compare", "eu-1", "-o", "json").fails(1))
                        .at("/types/" + served + "/items/0/change")
                        .stringValue())
                .isEqualTo("added");
        assertThat(json(cli.run("compare", "eu-2", "eu-3", "-o", "json").ok())
                        .path("types")
                        .isEmpty())
                .isTrue();

        for (String command : List.of("describe cluster/eu-1", "tree cluster/eu-1", "compare eu-1 eu-2")) {
            assertThat(cli.run((command + " -o csv").split(" ", -1)).fails(2).err())
                    .contains("this is no list");
        }
    }

    @Test
    void whatIsTooWideForATerminalIsFolded() {
        String url = "oci://registry.example.com/platform/infrastructure/" + "very-".repeat(12) + "deep";
        String reason = "OPS-190: certificates of the whole platform come from here, and nowhere else";
        cli.run(
                        "catalog",
                        "add",
                        "cert-manager",
                        "--path",
                        "infrastructure/cert-manager/v1.16.2",
                        "--oci-tag",
                        "v1.16.2",
                        "--oci-url",
                        url,
                        "--reason",
                        reason)
                .ok();
        cli.run("assign", "cert-manager", "--filter", "id=eu-1", "--yes", "--reason", reason)
                .ok();
        String narrow = cli.atTerminal("", "explain", "eu-1").ok().out();
        String piped = cli.run("explain", "eu-1").ok().out();
        assertThat(piped.lines()).as("a pipe has no edge").anyMatch(line -> line.length() > 80);
        assertThat(narrow.lines()).allMatch(line -> line.length() <= 80);
        assertThat(narrow.replaceAll("\\s+", "")).isEqualTo(piped.replaceAll("\\s+", ""));
        assertThat(cli.atTerminal("", "explain", "eu-1", "-o", "wide").ok().out())
                .isEqualTo(piped);
        assertThat(cli.run("describe", "cluster/eu-1").ok().out().lines()).anyMatch(line -> line.length() > 80);
        assertThat(cli.atTerminal("", "describe", "cluster/eu-1").ok().out().lines())
                .allMatch(line -> line.length() <= 80);
        assertThat(cli.atTerminal("", "explain", "eu-1", "--field", "oci_tag")
                        .ok()
                        .out())
                .contains("\ncert-manager  oci_tag  v1.16.2  catalog  platform_component/cert-manager  ch-");
    }

    private static JsonNode json(Cli.Ran ran) {
        return JsonMapper.shared().readTree(ran.out());
    }

    @Test
    void aVersionThatWasSeenMayBeLabelled() {
        String etag = cli.run("get", "cluster/eu-1", "--jq", "\"\\\"\\(.meta.epoch)-\\(.meta.revision)\\\"\"")
                .ok()
                .out()
                .strip();
        cli.run("label", "cluster/eu-1", "a=b", "--if-match", etag).ok();
        cli.run("label", "cluster/eu-1", "a=c", "--if-match", etag).fails(3);
        assertThat(cli.run("get", "cluster/eu-1", "--jq", ".spec.labels.a").ok().out())
                .isEqualTo("b\n");
    }

    @Test
    void whatWasNeverAssignedIsNotTakenAway() {
        assertThat(cli.run("unassign", "nothing", "-A").ok().out()).contains("unchanged");
        assertThat(cli.run("get", "clusters", "-o", "json").ok().out()).doesNotContain("platform_components");
    }

    @Test
    void anArtifactIsLookedForBesideTheOthers() {
        String[] more = {"--path", "x/1", "--oci-tag", "1"};
        for (String name : List.of("a", "b")) {
            cli.run(
                            "catalog",
                            "add",
                            name,
                            more[0],
                            more[1],
                            more[2],
                            more[3],
                            "--oci-url",
                            "oci://r.example.com/p/" + name)
                    .ok();
        }
        cli.run("catalog", "add", "c", more[0], more[1], more[2], more[3]).ok();
        assertThat(cli.run("get", "co", "c", "--jq", ".spec.oci_url").ok().out())
                .isEqualTo("oci://r.example.com/p/c\n");
    }
}
