package dev.homeport.cli.look;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.login.CiToken;
import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.Keyring;
import dev.homeport.cli.login.KeyringProblem;
import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.output.Ages;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import dev.homeport.cli.write.PlanText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code homeport doctor}: what is wrong between here and the fleet, and what to do about it. */
@Command(
        name = "doctor",
        description = "Check your settings, the server and the fleet for problems. Exit code 1: problems found.")
final class DoctorCommand implements Callable<Integer> {
    private static final Duration MOST_SKEW = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofDays(2);

    @Mixin
    ServerOptions server;

    private boolean failed;

    @Override
    public Integer call() {
        ProcessEnvironment process = server.process();
        Contexts contexts = Contexts.of(process);
        if (contexts.isOpenToOthers()) {
            warn(contexts.file() + " can be read by others", "chmod 600 " + contexts.file());
        } else {
            fine("contexts: " + contexts.file());
        }
        ServerAddress address = server.address();
        boolean hasToken = token(address);
        HomeportClient client = new HomeportClient(hasToken ? address : address.withoutToken());
        try {
            HomeportClient.Answer health = client.get("/health");
            fine("server: " + address.server() + " answers");
            skew(health);
            client.get("/ready");
            fine("server: polls are answered");
        } catch (ServerUnreachable e) {
            wrong(String.valueOf(e.getMessage()), e.next());
            return ExitCodes.UNREACHABLE;
        } catch (ApiProblem e) {
            wrong("the server is not ready: " + e.getMessage(), e.next());
        }
        alive(client);
        if (!hasToken) {
            return ExitCodes.FAILED;
        }
        try {
            JsonNode me = client.get("/api/v2/me").body();
            fine("you are " + me.path("actor").asString("?") + " ("
                    + me.path("access").asString("?") + ")");
            end(client, me);
            fleet(client);
        } catch (ApiProblem e) {
            wrong(String.valueOf(e.getMessage()), "sign in with: homeport login " + address.server());
        }
        return failed ? ExitCodes.FAILED : ExitCodes.DONE;
    }

    private void alive(HomeportClient client) {
        try {
            client.get("/livez");
            fine("server: its background loops run");
        } catch (ApiProblem e) {
            if (e.code() != ErrorCode.NOT_FOUND) { // an older server does not say
                wrong("a background loop of the server is stuck: " + e.getMessage(), e.next());
            }
        } catch (ServerUnreachable e) {
            wrong(String.valueOf(e.getMessage()), e.next());
        }
    }

    /** Says where the token is. False if it cannot be got from there; whether it is any good, the server knows. */
    private boolean token(ServerAddress address) {
        ProcessEnvironment process = server.process();
        try {
            if (address.token().get().isEmpty()) {
                return true;
            }
        } catch (ExitException e) {
            wrong(String.valueOf(e.getMessage()), "homeport doctor, when that is done");
            return false;
        }
        Optional<Contexts.Context> context = server.chosenContext();
        if (process.variable("HOMEPORT_TOKEN").isPresent()) {
            fine("token: from HOMEPORT_TOKEN");
        } else if (context.flatMap(CiToken::of).isPresent()) {
            fine("token: of this CI job");
        } else if (context.filter(TokenStore::inKeyring).isPresent()) {
            fine("token: in the keyring, which answers");
        } else {
            fine("token: in the file of contexts" + keyring(process));
        }
        return true;
    }

    private static String keyring(ProcessEnvironment process) {
        try {
            return Keyring.of(process)
                    .filter(keyring -> !keyring.holds("none"))
                    .map(keyring -> "; the next login can keep it in the keyring, which answers")
                    .orElse("");
        } catch (KeyringProblem e) {
            return ", because the keyring does not answer (" + e.getMessage() + ")";
        }
    }

    private void skew(HomeportClient.Answer answer) {
        Optional<String> date = answer.header("date");
        if (date.isEmpty()) {
            return;
        }
        try {
            Instant there = ZonedDateTime.parse(date.get(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration skew =
                    Duration.between(there, server.process().clock().instant()).abs();
            if (skew.compareTo(MOST_SKEW) > 0) {
                warn("the server's clock and yours differ by " + Ages.shortly(skew), "look at both clocks");
            }
        } catch (DateTimeParseException e) {
            warn("the server's Date header cannot be read", "look for a proxy in between");
        }
    }

    private void end(HomeportClient client, JsonNode me) {
        if (!me.has("token")) {
            return;
        }
        JsonNode spec = client.get(
                        "/api/v2/tokens/" + Paths.encoded(me.path("token").asString("")))
                .body()
                .path("spec");
        Ages.time(spec.path("expires_at").asString("")).ifPresent(end -> {
            Duration left = Duration.between(server.process().clock().instant(), end);
            if (left.compareTo(SOON) < 0) {
                warn(
                        "your token stops working in " + Ages.shortly(left),
                        "homeport token rotate " + me.path("token").asString(""));
            }
        });
    }

    private void fleet(HomeportClient client) {
        int clusters = count(client, "");
        fine(PlanText.count(clusters, "cluster"));
        int findings =
                client.get("/api/v2/findings?page_size=1").body().path("total").asInt(0);
        if (findings > 0) {
            warn(PlanText.count(findings, "finding"), "homeport findings -o wide");
        }
        for (JsonNode freeze : client.get("/api/v2/freezes").body().path("items")) {
            warn(
                    "frozen: " + freeze.path("id").asString("") + " ("
                            + freeze.path("spec").path("reason").asString("") + ")",
                    "homeport get freezes");
        }
    }

    private static int count(HomeportClient client, String filter) {
        return client.get(new Paths(Kind.CLUSTER.path())
                        .with("filter", filter)
                        .with("page_size", "1")
                        .flag("counts", true)
                        .toString())
                .body()
                .path("total")
                .asInt(0);
    }

    private void fine(String text) {
        print(style().green("ok   "), text);
    }

    private void warn(String text, String next) {
        print(style().yellow("warn "), text);
        print("     ", "next: " + next);
    }

    private void wrong(String text, String next) {
        failed = true;
        print(style().red("fail "), text);
        print("     ", "next: " + next);
    }

    private Style style() {
        return server.process().style(false);
    }

    private void print(String mark, String text) {
        server.process().out().println(mark + SafeText.line(text));
        server.process().out().flush();
    }
}
