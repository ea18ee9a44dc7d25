package dev.homeport.cli.lifecycle;

import dev.homeport.cli.output.Times;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.select.Targets;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport bootstrap CLUSTER | kubectl apply -f -}. */
@Command(
        name = "bootstrap",
        description = "Create a token for a cluster and print the manifests with which it starts to poll.",
        footer = {
            "",
            "Manifests of several clusters are not printed, because one cluster must not be given another's: --into writes",
            "a folder for each. Their tokens are made all or none, for 1000 clusters at a time.",
            "",
            "With --one-time it prints, in their place, a command for the tool that provisions the cluster: it gives the same",
            "manifests, once and within that time.",
            "",
            "Examples:",
            "  homeport bootstrap payments-prod-00418 | kubectl apply -f -",
            "  homeport bootstrap payments-prod-00418 --format helm --into phone-home",
            "  homeport bootstrap payments-prod-00418 --format terraform --one-time 1h",
            "  homeport bootstrap payments-prod-00418 --types namespaces",
            "  homeport bootstrap -l env=dev --format secrets --replace --into renewed",
            "  homeport bootstrap payments-prod-00418 --name objects=platform-{id} --name release_storage=release"
        })
final class BootstrapCommand implements Callable<Integer> {
    private static final int AT_ONCE = 1000;

    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    ManifestOptions manifests;

    @Mixin
    SelectOptions selection;

    @Parameters(arity = "0..*", paramLabel = "CLUSTER", description = "Clusters, as NAME or cluster/NAME.")
    List<String> clusters = List.of();

    @Option(
            names = "--client-certificate",
            paramLabel = "SECRET",
            description = "Poll with the certificate in this Secret of the cluster (tls.crt, tls.key, and ca.crt of who"
                    + " vouches for Homeport) in place of a token.")
    @Nullable
    String clientCertificate;

    @Option(names = "--replace", description = "Revoke the older of two working tokens.")
    boolean replace;

    @Option(
            names = "--one-time",
            paramLabel = "TIME",
            description = "Print a command that gives the manifests once, within this time, such as 1h; 24h at most.")
    @Nullable
    String oneTime;

    @Override
    public Integer call() {
        write.checkOutput();
        Targets targets = Targets.clusters(clusters, selection, server);
        if (targets.named().size() == 1) {
            String cluster = targets.named().getFirst().id();
            return oneTime == null ? show(cluster) : invite(cluster, oneTime);
        }
        return showAll(targets);
    }

    private int show(String cluster) {
        manifests.checkFolder();
        WriteRequest asked = WriteRequest.post(Kind.CLUSTER.path(cluster) + ":bootstrap", request());
        if (write.dryRun) {
            return write.run(server, asked);
        }
        JsonNode answer = write.send(server.client(), asked).body();
        if (!write.isText()) {
            write.print(answer);
            return ExitCodes.DONE;
        }
        manifests.print(answer.path("files"), server.process());
        String made = clientCertificate == null
                ? "made token/" + answer.path("token_id").asString("") + " for " + cluster
                        + "; it is in the manifests and is not shown again"
                : "no token was made: " + cluster + " polls with the certificate in its Secret " + clientCertificate;
        server.process().err().println(made);
        return ExitCodes.DONE;
    }

    private ObjectNode request() {
        ObjectNode body = manifests.request();
        if (replace) {
            body.put("replace", true);
        }
        if (clientCertificate != null) {
            body.put("client_certificate", clientCertificate);
        }
        return body;
    }

    private int showAll(Targets targets) {
        if (oneTime != null) {
            throw new UsageProblem("--one-time is for one cluster by name");
        }
        manifests.checkFolders(write.dryRun || !write.isText());
        List<String> ids = targets.ids(server.client());
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            List<String> some = ids.subList(from, Math.min(from + AT_ONCE, ids.size()));
            ObjectNode body = request();
            some.forEach(body.putArray("clusters")::add);
            WriteRequest asked = WriteRequest.post(Kind.CLUSTER.path() + ":bootstrap", body);
            if (write.dryRun) {
                int code = write.run(server, asked);
                if (code != ExitCodes.DONE) {
                    return code;
                }
                continue;
            }
            JsonNode answer = write.send(server.client(), asked).body();
            if (!write.isText()) {
                write.print(answer);
                continue;
            }
            answer.path("clusters").forEach(manifests::write);
            server.process()
                    .err()
                    .println((clientCertificate == null ? "made tokens for " : "no tokens were made for ")
                            + some.size()
                            + (some.size() == 1 ? " cluster" : " clusters")
                            + "; their manifests are in " + manifests.folder);
        }
        return ExitCodes.DONE;
    }

    private int invite(String cluster, String time) {
        if (replace || clientCertificate != null) {
            throw new UsageProblem("--one-time goes neither with --replace nor with --client-certificate");
        }
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.putObject("spec")
                .put("kind", "join")
                .put("subject", cluster)
                .put("label", "bootstrap --one-time")
                .put("expires_at", Times.ahead(server.process(), time));
        WriteRequest asked = WriteRequest.post("/api/v2/tokens", body);
        if (write.dryRun) {
            return write.run(server, asked);
        }
        JsonNode answer = write.send(server.client(), asked).body();
        if (!write.isText()) {
            write.print(answer);
            return ExitCodes.DONE;
        }
        server.process().out().println("HOMEPORT_TOKEN=" + answer.path("token").asString("") + " " + command(cluster));
        server.process()
                .err()
                .println("made token/" + answer.path("id").asString("") + " to provision " + cluster
                        + ": the command works once, until "
                        + answer.at("/spec/expires_at").asString("") + ", and a second use raises an alarm");
        return ExitCodes.DONE;
    }

    /** To be typed where the cluster is made. */
    private String command(String cluster) {
        List<String> words = new ArrayList<>(List.of("homeport", "join", "--server"));
        words.add(server.address().server().toString());
        words.addAll(manifests.words());
        if (manifests.format.isFolder() && manifests.folder == null) {
            words.addAll(List.of("--into", cluster));
        }
        boolean printed = !words.contains("--into");
        return words.stream().map(BootstrapCommand::quoted).collect(Collectors.joining(" "))
                + (printed ? " | kubectl apply -f -" : "");
    }

    private static String quoted(String word) {
        return word.matches("[-A-Za-z0-9_./:=@,]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
