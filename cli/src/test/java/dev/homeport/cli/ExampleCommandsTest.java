package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that people are promised, one after the other on one fleet, as they are written there. */
class ExampleCommandsTest {
    /** Spaces that are not between quotes. */
    private static final String BETWEEN_WORDS = " +(?=(?:[^']*'[^']*')*[^']*$)";

    @TempDir
    Path folder;

    private static String[] words(String line) {
        return Stream.of(line.split(BETWEEN_WORDS, -1))
                .map(word -> word.replace("'", ""))
                .toArray(String[]::new);
    }

    @Test
    void eachDoesWhatItSays() throws Exception {
        try (Cli cli = new Cli(folder).signedIn()) {
            Files.writeString(
                    folder.resolve("clusters.csv"), "name,env,owner\nedge-1,dev,team-edge\nedge-2,dev,team-edge\n");
            for (String line : List.of(
                    "catalog add cert-manager --path core/cert-manager/1.0.0 --oci-tag v1.0.0 --oci-url oci://r.example.com/p",
                    "catalog add grafana --path observability/grafana/17.0.0 --oci-tag v1.0.0 --env-overlays",
                    "apply -f -",
                    "adopt payments-prod-00418 -W payments --env prod --owner team-payments -l region=eu-west-1",
                    "adopt payments-prod-00417 -W payments --env prod --owner team-payments",
                    "adopt lab-dev-00012 --env dev --owner lab",
                    "bootstrap payments-prod-00418 --url https://homeport.example.com",
                    "bootstrap payments-prod-00418 --url https://homeport.example.com --format clusterapi",
                    "bootstrap payments-prod-00418 --url https://homeport.example.com --format helm --into chart --replace",
                    "bootstrap payments-prod-00417 --url https://homeport.example.com --format terraform --into module",
                    "adopt -f clusters.csv --template edge-small --dry-run",
                    "adopt -f clusters.csv --template edge-small",
                    "get clusters -l env=prod --filter 'state:failing' -o wide",
                    "describe cluster payments-prod-00417",
                    "assign grafana -l env=dev --dry-run",
                    "assign grafana cert-manager -l env=dev --yes",
                    "assign grafana cert-manager --filter 'env=prod AND workspace=payments' --reason OBS-31 --yes",
                    "patch cluster/payments-prod-00417 -p '{patches: {cert-manager: {replicaCount: 3}}}' --yes",
                    "explain cluster/payments-prod-00417 cert-manager --field patches.replicaCount",
                    "payload payments-prod-00417 --resource components --budget",
                    "pin grafana --path observability/grafana/17.1.0 --oci-tag v1.1.0-rc1 -l env=dev --ttl 7d",
                    "hotfix cert-manager --oci-tag v1.0.0-1 --affected-by CVE-2026-1234 --reason INC-8812 --yes",
                    "promote grafana 17.1.0 --from dev --to qa,uat,prod --yes",
                    "audit --since 24h --actor 'person:*' -o md",
                    "tree workspace/payments",
                    "decommission lab-dev-00012 --grace 48h --yes",
                    "undelete cluster/lab-dev-00012 --yes",
                    "get freezes -o csv",
                    "doctor")) {
                String input = line.startsWith("apply")
                        ? "type: workspace\nid: payments\nspec: {owner: team-payments}\n---\ntype: cluster_template\nid: edge-small\nspec: {owner: t}\n"
                        : "";
                Cli.Ran ran = cli.typing(input, words(line));
                assertThat(ran.exit()).as(line + "\n" + ran.err() + ran.out()).isZero();
            }
            assertThat(cli.run(words("compare cluster/edge-1 cluster/payments-prod-00417"))
                            .exit())
                    .isEqualTo(1);
            assertThat(cli.run(words("get component grafana -o json")).ok().out())
                    .contains("17.1.0");
            assertThat(cli.run(words("tree workspace/payments")).ok().out()).isEqualTo("""
                    workspace/payments
                    └── environment/prod
                        ├── cluster/payments-prod-00417  new
                        └── cluster/payments-prod-00418  new
                    """);
            assertThat(cli.run(words("tree cluster payments-prod-00417")).ok().out())
                    .contains("└── platform-components\n    ├── cert-manager  by cluster/payments-prod-00417\n");
            cli.run(words("label cluster/edge-1 x=y --reason 'because " + "of this and that ".repeat(20) + "'"))
                    .ok();
            for (String line : List.of("get clusters", "audit", "history cluster/edge-1", "findings", "get tokens")) {
                assertThat(cli.run(words(line)).ok().out().lines())
                        .as(line)
                        .allMatch(row -> row.codePointCount(0, row.length()) <= 80);
            }
            assertThat(cli.run(words("audit --limit 1")).ok().out()).contains("because of this", "…");
            assertThat(cli.run(words("audit --limit 1 -o wide")).ok().out()).doesNotContain("…");
            String one = "explain cluster/payments-prod-00417 cert-manager --field patches.replicaCount";
            assertThat(cli.run(words(one + " -o table")).ok().out())
                    .isEqualTo(cli.run(words(one)).ok().out());
            assertThat(cli.run(words(one + " --jq '[.types[].items[].values[].path]'"))
                            .ok()
                            .out())
                    .isEqualTo("[\"patches/replicaCount\"]\n");
            assertThat(cli.run(words(one + " -o csv")).fails(2).err()).contains("json, yaml or jsonl");
            assertThat(cli.run(words("tree workspace/nothing")).fails(1).err()).contains("workspace/nothing");
            String service = cli.run(words("token create --service ci/deploy --access admin --ttl 1h"))
                    .ok()
                    .out()
                    .strip();
            cli.variables.put("HOMEPORT_TOKEN", service);
            cli.run(words("label cluster/edge-1 a=b")).ok();
            cli.variables.remove("HOMEPORT_TOKEN");
            assertThat(cli.run(words("audit --since 24h --actor 'ci/*' -o md"))
                            .ok()
                            .out())
                    .contains("service:ci/deploy")
                    .doesNotContain("person:");
            Path fleet = Files.createDirectories(folder.resolve("fleet"));
            Files.writeString(
                    fleet.resolve("c.yaml"),
                    cli.run(words("get clusters -o yaml")).ok().out());
            cli.run(words("apply -f fleet/ --prune=false")).ok();
            cli.run(words("diff -f fleet/")).ok();
            String revision = cli.run(words("audit --limit 1 --jq .[0].revision"))
                    .ok()
                    .out()
                    .strip();
            cli.run(words("revert ch-" + revision + " --dry-run")).ok();
            invite(cli, "bootstrap edge-1 --url https://homeport.example.com --one-time 1h");
            invite(cli, "bootstrap edge-2 --url https://homeport.example.com --format helm --one-time 1h");
            assertThat(folder.resolve("chart/templates/homeport.yaml")).exists();
            assertThat(folder.resolve("module/main.tf")).exists();
            assertThat(folder.resolve("edge-2/files/secrets.yaml")).exists();
        }
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        try (Cli cli = new Cli(folder).signedIn()) {
            for (String line : List.of(
                    "rollout status ro-0147 --watch",
                    "rollout pause ro-0147 --reason latency",
                    "assign grafana --filter env=prod --rollout prod-careful --reason OBS-31",
                    "hotfix cert-manager --oci-tag v1.0.0-1 --affected-by CVE-2026-1234 --rollout fast --wait")) {
                assertThat(cli.run(words(line)).fails(2).err()).as(line).contains("has no rollouts", "next:");
            }
            assertThat(cli.run(words("get rollouts")).fails(2).err()).contains("has no rollouts");
            assertThat(cli.run(words("exempt cluster/edge-qa-7 --from max-skew"))
                            .fails(2)
                            .err())
                    .contains("no exemptions");
            assertThat(cli.run(words("get exemptions --expiring 14d -o csv"))
                            .fails(2)
                            .err())
                    .contains("no exemptions");
            assertThat(cli.run(words("review create 2026-Q4")).fails(2).err()).contains("has no reviews");
            assertThat(cli.run(words("revue get clusters")).fails(2).err())
                    .contains("there is no command homeport revue");
        }
    }

    /** The printed command must work as it is, and only once. */
    private static void invite(Cli cli, String line) {
        String command = cli.run(words(line)).ok().out().strip().replace(" | kubectl apply -f -", "");
        assertThat(command).matches("HOMEPORT_TOKEN=hpj_\\S+ homeport join --server " + cli.address() + " .*");
        Map<String, String> before = Map.copyOf(cli.variables);
        cli.variables.put("XDG_CONFIG_HOME", cli.folder.resolve("nothing").toString());
        cli.variables.put("HOMEPORT_TOKEN", command.substring("HOMEPORT_TOKEN=".length(), command.indexOf(' ')));
        String join = command.substring(command.indexOf("join"));
        Cli.Ran ran = cli.run(words(join)).ok();
        assertThat(ran.out()).matches(out -> out.isEmpty() == join.contains("--into"));
        cli.run(words(join)).fails(5);
        cli.variables.clear();
        cli.variables.putAll(before);
    }
}
