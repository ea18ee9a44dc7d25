package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.access.Verb;
import dev.homeport.document.Types;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.Refusal;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.http.Reply;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Refused requests, newest first, by actor, time and text. Refusals of others are for auditors; every caller sees its own. A
 * page token names the last one, because newer ones would shift an offset.
 */
final class RefusalPages {
    private final RefusedAttempts refusals;
    private final Powers powers;

    RefusalPages(RefusedAttempts refusals, Powers powers) {
        this.refusals = refusals;
        this.powers = powers;
    }

    Reply of(Call call, Paging paging) {
        for (String name : List.of("type", "id", "cluster")) {
            if (call.query(name).isPresent()) {
                throw ProblemException.invalid(
                        "/" + name, "what was refused changed no document", "use actor, since, until and text");
            }
        }
        Optional<Instant> since = ChangeRoutes.time(call, "since");
        Optional<Instant> until = ChangeRoutes.time(call, "until");
        Optional<String> actor = call.query("actor");
        String text = call.query("text").orElse("").toLowerCase(Locale.ROOT);
        boolean all = powers.mayEverywhere(Verb.AUDIT, Types.TOKEN);
        String self = powers.caller().actor().toString();
        List<Refusal> found = refusals.newest().stream()
                .filter(one -> all || one.actor().equals(self))
                .filter(one -> paging.after().isEmpty() || place(one).compareTo(paging.after()) < 0)
                .filter(one -> since.isEmpty() || !one.at().isBefore(since.get()))
                .filter(one -> until.isEmpty() || one.at().isBefore(until.get()))
                .filter(one -> actor.isEmpty() || one.actor().equals(actor.get()))
                .filter(one -> (one.path() + "\n" + one.actor() + "\n" + one.detail())
                        .toLowerCase(Locale.ROOT)
                        .contains(text))
                .limit(paging.size() + 1L)
                .toList();
        List<Refusal> page = found.subList(0, Math.min(found.size(), paging.size()));
        Optional<String> next =
                found.size() > page.size() ? Optional.of(Paging.token(place(page.getLast()))) : Optional.empty();
        return switch (call.query("format").orElse("json")) {
            case "json" -> whole(page, next);
            case "jsonl" -> lines(page, next);
            default -> throw ProblemException.invalid("/format", "there is no such format", "use json or jsonl");
        };
    }

    private static Reply whole(List<Refusal> page, Optional<String> next) {
        ObjectNode body = StrictJson.object();
        ArrayNode items = body.putArray("items");
        page.forEach(one -> items.add(json(one)));
        next.ifPresent(token -> body.put("next_page_token", token));
        return Reply.json(200, body);
    }

    private static Reply lines(List<Refusal> page, Optional<String> next) {
        StringBuilder out = new StringBuilder();
        page.forEach(one -> out.append(CanonicalJson.text(json(one))).append('\n'));
        Reply reply = Reply.text(200, "application/jsonl", out.toString());
        return next.map(token -> reply.with("Homeport-Next-Page-Token", token)).orElse(reply);
    }

    /** Ordered as the list is. */
    private static String place(Refusal one) {
        return String.format(
                Locale.ROOT, "%020d/%s", ChronoUnit.MICROS.between(Instant.EPOCH, one.at()), one.requestId());
    }

    private static ObjectNode json(Refusal one) {
        return StrictJson.object()
                .put("at", one.at().toString())
                .put("actor", one.actor())
                .put("address", one.address())
                .put("method", one.method())
                .put("path", one.path())
                .put("status", one.status())
                .put("code", one.code())
                .put("detail", one.detail())
                .put("request_id", one.requestId());
    }
}
