package dev.homeport.cli.write;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.select.FilterWords;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.Pause;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.Prompt;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * The way of every write: plan, show, ask, commit what was shown. The commit carries the plan's confirmation, so that what is
 * done is what was shown; if the fleet has moved meanwhile, it is planned again.
 */
public final class PlannedWrite {
    private static final int STANDARD_LIMIT = 25;
    private static final int MOST_PLANS = 10;
    private static final int MOST_SENDINGS = 3;
    private static final Set<ErrorCode> MOVED = Set.of(ErrorCode.PLAN_CHANGED, ErrorCode.CONFIRMATION_REQUIRED);

    private final WriteOptions options;
    private final ServerOptions server;
    private final HomeportClient client;
    private final ProcessEnvironment process;

    public PlannedWrite(WriteOptions options, ServerOptions server) {
        this.options = options;
        this.server = server;
        this.process = options.process();
        options.checkOutput();
        options.timeout(); // a mistyped value is reported before anything is done
        this.client = server.client();
    }

    public int run(WriteRequest plain) {
        WriteRequest request = options.handled(plain);
        if (options.dryRun) {
            JsonNode planned = plan(request);
            if (options.isText()) {
                show(planned.path("plan"), process.out());
                process.out().println("nothing was changed: dry run");
                process.out().flush();
            } else {
                options.print(planned);
            }
            return ExitCodes.DONE;
        }
        if (options.confirm != null) {
            return done(commit(request.with("Homeport-Confirm", Optional.of(options.confirm))), Optional.empty());
        }
        String key = UUID.randomUUID().toString();
        for (int attempt = 1; ; attempt++) {
            JsonNode planned = plan(request);
            JsonNode plan = planned.path("plan");
            show(plan, options.isText() ? process.out() : process.err());
            ask(plan);
            try {
                HomeportClient.Answer answer = commit(request.with(
                                "Homeport-Confirm",
                                Optional.of(planned.path("confirmation").asString("")))
                        .with("Idempotency-Key", Optional.of(key)));
                return done(answer, Optional.of(plan));
            } catch (ApiProblem e) {
                if (!MOVED.contains(e.code()) || attempt == MOST_PLANS) {
                    throw e;
                }
                process.err().println("the fleet has changed meanwhile; planned again:");
            }
        }
    }

    /** For what is shown once and cannot be sent again: the plan is shown only where it needs a confirmation. */
    public HomeportClient.Answer once(WriteRequest plain) {
        WriteRequest request = options.handled(plain);
        if (options.confirm != null) {
            return commit(request.with("Homeport-Confirm", Optional.of(options.confirm)));
        }
        JsonNode planned = plan(request);
        JsonNode plan = planned.path("plan");
        if (!plan.path("guards").isEmpty()) {
            show(plan, process.err());
            ask(plan);
        }
        return commit(request.with(
                "Homeport-Confirm", Optional.of(planned.path("confirmation").asString(""))));
    }

    private JsonNode plan(WriteRequest request) {
        WriteRequest dry = request.asking("dry_run", "true");
        try (Busy _ = new Busy(process, "planning")) {
            return client.send(dry.method(), dry.path(), dry.headers(), dry.body())
                    .body();
        }
    }

    /** A lost connection says nothing about the write; the key lets it be sent again without being done again. */
    private HomeportClient.Answer commit(WriteRequest request) {
        boolean repeatable = request.headers().containsKey("Idempotency-Key");
        try (Busy _ = new Busy(process, "writing")) {
            for (int sending = 1; ; sending++) {
                try {
                    return client.send(request.method(), request.path(), request.headers(), request.body());
                } catch (ServerUnreachable e) {
                    if (!repeatable || sending == MOST_SENDINGS) {
                        throw e;
                    }
                    Pause.seconds(sending);
                }
            }
        }
    }

    private void show(JsonNode plan, PrintStream out) {
        new PlanText(out, process.style(out == process.err())).print(plan);
    }

    private void ask(JsonNode plan) {
        long clusters = plan.path("clusters_changed").asLong(0);
        List<String> why = new ArrayList<>();
        if (!plan.path("guards").isEmpty()) {
            why.add("the plan asks for a confirmation");
        }
        if (clusters > limit()) {
            why.add(clusters + " clusters are more than " + limit());
        } else if (clusters > 0 && !options.yes) {
            long guarded = protectedOnes(plan);
            if (guarded > 0) {
                why.add(guarded == 1 ? "a protected cluster changes" : guarded + " protected clusters change");
            }
        }
        if (why.isEmpty() || options.yes) {
            return;
        }
        if (!options.mayAsk()) {
            throw new UsageProblem(String.join(", and ", why) + ": look at the plan, then repeat with --yes");
        }
        String answer = clusters == 0 ? "yes" : Long.toString(clusters);
        String question = clusters == 0
                ? "Type yes to go on: "
                : "This changes " + PlanText.count(clusters, "cluster") + ". Type " + clusters + " to go on: ";
        process.err().println(String.join(", and ", why) + ".");
        if (!new Prompt(process).ask(question).equals(Optional.of(answer))) {
            throw new ExitException(ExitCodes.FAILED, "not confirmed; nothing was changed");
        }
    }

    private long limit() {
        String text = process.variable("HOMEPORT_CONFIRM_OVER")
                .or(() -> server.setting("confirm_over"))
                .orElse("");
        if (!text.isEmpty() && !text.matches("[0-9]{1,9}")) {
            throw new UsageProblem("confirm_over is not a number of clusters: " + text);
        }
        return text.isEmpty() ? STANDARD_LIMIT : Long.parseLong(text);
    }

    /** Few enough to be named in one question. */
    private long protectedOnes(JsonNode plan) {
        Set<String> names = new TreeSet<>();
        plan.path("groups").forEach(group -> group.path("clusters").forEach(name -> names.add(name.asString(""))));
        long found = 0;
        List<String> all = List.copyOf(names);
        for (int from = 0; from < all.size(); from += STANDARD_LIMIT) {
            List<String> some = all.subList(from, Math.min(all.size(), from + STANDARD_LIMIT));
            String filter = "status.protected = true AND ("
                    + String.join(
                            " OR ",
                            some.stream()
                                    .map(id -> "id = " + FilterWords.quoted(id))
                                    .toList())
                    + ")";
            found += client.get(new Paths(Kind.CLUSTER.path())
                            .with("filter", filter)
                            .with("page_size", "1000")
                            .toString())
                    .body()
                    .path("items")
                    .size();
        }
        return found;
    }

    private int done(HomeportClient.Answer answer, Optional<JsonNode> plan) {
        JsonNode body = answer.body();
        String revision =
                answer.header("Homeport-Revision").orElse(body.path("revision").asString("-"));
        if (!options.isText()) {
            options.print(body);
        } else if (body.path("unchanged").asBoolean(false)) {
            process.out().println("unchanged at revision " + revision);
        } else {
            process.out().println("revision " + SafeText.line(revision));
        }
        process.out().flush();
        if (options.wait && plan.isPresent()) {
            new ArrivalWait(client, process, options.timeout()).on(plan.get(), body);
        }
        return ExitCodes.DONE;
    }
}
