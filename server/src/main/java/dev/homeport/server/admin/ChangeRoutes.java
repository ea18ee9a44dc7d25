package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.CommitQuery;
import dev.homeport.document.Types;
import dev.homeport.json.CanonicalJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.snapshot.SeenInPast;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.Undoing;
import dev.homeport.write.WriteRequest;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes: many documents in one commit, and everything that was ever committed. */
final class ChangeRoutes {
    private static final String LIST = "/api/v2/changes";
    private static final String ONE = LIST + "/{revision}";

    /** A page stops here and says where to go on. */
    private static final int MOST_BYTES = 16 * 1024 * 1024;

    private static final String NO_CHANGES = "\"changes\":[]";

    private final Services services;
    private final WriteDesk desk;

    ChangeRoutes(Services services) {
        this.services = services;
        this.desk = new WriteDesk(services);
    }

    List<Route> routes() {
        Set<String> listing = new HashSet<>(Paging.NAMES);
        listing.addAll(Set.of("actor", "since", "until", "type", "id", "cluster", "text", "format", "refused"));
        return List.of(
                AdminRoute.read(
                        LIST,
                        "listChanges",
                        "Lists changes, newest first: by actor, time, type, id and text; by cluster those that changed its"
                                + " document or, through a shared one, its answers; with format=jsonl"
                                + " in full; with refused=true those that were not done.",
                        listing,
                        this::list),
                AdminRoute.read(
                        ONE,
                        "getChange",
                        "Get a change with every document before and after.",
                        Paging.NAMES,
                        this::get),
                AdminRoute.write(
                        "POST",
                        LIST,
                        "createChange",
                        "Apply several operations on documents, named by id or selector, in one change. The operation merge"
                                + " is a merge patch in which lists of objects with an id are merged by id, and"
                                + " \"$remove\": true takes an element out.",
                        Set.of(),
                        AdminRoute.MANY_DOCUMENTS,
                        this::create),
                AdminRoute.write(
                        "POST",
                        ONE + ":revert",
                        "revertChange",
                        "Revert a change with a new one; later edits of the same fields are conflicts.",
                        Set.of(),
                        this::revert));
    }

    private Reply list(Call call) {
        Paging paging = Paging.of(call);
        Powers powers = services.powers(call.caller());
        if (call.flag("refused")) {
            return new RefusalPages(services.refusals(), powers).of(call, paging);
        }
        CommitQuery query = query(call, paging);
        CommitPages.Source source = call.query("cluster")
                .<CommitPages.Source>map(cluster -> new ClusterChanges(services, powers, query, cluster))
                .orElse((below, limit) -> services.history().commits(query.below(below)));
        return switch (call.query("format").orElse("json")) {
            case "json" -> Reply.json(200, page(query, source, paging, powers));
            case "jsonl" -> lines(query, source, paging, powers);
            default -> throw ProblemException.invalid("/format", "there is no such format", "use json or jsonl");
        };
    }

    private ObjectNode page(CommitQuery query, CommitPages.Source source, Paging paging, Powers powers) {
        return new CommitPages(services.history(), powers)
                .of(
                        paging,
                        source,
                        change -> (query.types().isEmpty()
                                        || query.types().contains(change.key().type()))
                                && query.id()
                                        .filter(id -> !id.equals(change.key().id()))
                                        .isEmpty(),
                        query.text());
    }

    private CommitQuery query(Call call, Paging paging) {
        Optional<String> cluster = call.query("cluster");
        Optional<String> id = call.query("id");
        Optional<String> type = call.query("type").map(this::typeName);
        if (cluster.isPresent() && (id.isPresent() || type.isPresent())) {
            throw ProblemException.invalid(
                    "/cluster",
                    "cluster asks for every change that concerns it, of whatever document",
                    "leave type and id out");
        }
        Set<String> types = type.isEmpty()
                ? Set.of()
                : type.get().equals(Types.CLUSTER) ? Set.of(Types.CLUSTER, Types.CLUSTER_LIFE) : Set.of(type.get());
        CommitQuery query = CommitQuery.newest(paging.size() + 1)
                .below(paging.afterNumber(Long.MAX_VALUE))
                .between(time(call, "since"), time(call, "until"))
                .changing(types, id);
        CommitQuery by = call.query("actor").map(query::by).orElse(query);
        return call.query("text").filter(text -> !text.isEmpty()).map(by::with).orElse(by);
    }

    /** Types that are gone still have a past, so a name need not be known. */
    private String typeName(String word) {
        return services.snapshot()
                .types()
                .withPlural(word)
                .map(type -> type.name())
                .orElse(word);
    }

    static Optional<Instant> time(Call call, String name) {
        return call.query(name)
                .map(text -> AsOf.time(text)
                        .orElseThrow(() -> ProblemException.invalid(
                                "/" + name, "this is not a time", "send a time such as 2027-01-31T12:00:00Z")));
    }

    /** Each commit in full, one per line. */
    private Reply lines(CommitQuery query, CommitPages.Source source, Paging paging, Powers powers) {
        List<Commit> commits = source.below(paging.afterNumber(Long.MAX_VALUE), paging.size() + 1);
        CommitPages pages = new CommitPages(services.history(), powers);
        SeenInPast seen = new SeenInPast(services.history(), powers);
        ChangeJson json = new ChangeJson(services.history(), powers);
        StringBuilder out = new StringBuilder();
        Commit last = null;
        for (Commit commit : commits.subList(0, Math.min(commits.size(), paging.size()))) {
            if (last != null && out.length() > MOST_BYTES) {
                break;
            }
            List<ChangeOutline> changes = seen.changes(outline(commit.revision()));
            last = commit;
            if (!changes.isEmpty() && pages.says(commit, changes, query.text())) {
                line(out, pages.header(commit, changes.size()), then -> json.show(commit, changes, then));
            }
        }
        Reply reply = Reply.text(200, "application/jsonl", out.toString());
        return last == null || last.revision() == commits.getLast().revision()
                ? reply
                : reply.with("Homeport-Next-Page-Token", Paging.token(last.revision()));
    }

    /** Writes the text of each change when it is read: those of a large commit are many times as large as objects. */
    private static void line(StringBuilder out, ObjectNode header, Consumer<Predicate<ObjectNode>> changes) {
        header.putArray("changes");
        String text = CanonicalJson.text(header);
        int place = text.indexOf(NO_CHANGES) + NO_CHANGES.length() - 1; // no string has this in it: it would be escaped
        out.append(text, 0, place);
        int begin = out.length();
        changes.accept(change -> {
            out.append(out.length() == begin ? "" : ",").append(CanonicalJson.text(change));
            return true;
        });
        out.append(text, place, text.length()).append('\n');
    }

    private Reply get(Call call) {
        Powers powers = services.powers(call.caller());
        CommitOutline outline = outline(revision(call));
        List<ChangeOutline> changes = new SeenInPast(services.history(), powers).changes(outline);
        if (changes.isEmpty() && !powers.seesAll()) {
            throw noSuch(call.parameter("revision"));
        }
        Paging paging = Paging.of(call);
        int from = (int) Math.min(paging.afterNumber(0), changes.size());
        int to = Math.min(from + paging.size(), changes.size());
        ObjectNode body = new CommitPages(services.history(), powers).header(outline.commit(), changes.size());
        ArrayNode shown = body.putArray("changes");
        AtomicLong characters = new AtomicLong();
        int end = from
                + new ChangeJson(services.history(), powers)
                        .show(outline.commit(), changes.subList(from, to), change -> {
                            boolean room = shown.isEmpty() || characters.get() < MOST_BYTES;
                            if (room) {
                                shown.add(change);
                                characters.addAndGet(CanonicalJson.text(change).length());
                            }
                            return room;
                        });
        if (end < changes.size()) {
            body.put("next_page_token", Paging.token(end));
        }
        return Reply.json(200, body);
    }

    private CommitOutline outline(long revision) {
        return services.history().outline(revision).orElseThrow(() -> noSuch(Long.toString(revision)));
    }

    private static long revision(Call call) {
        String text = call.parameter("revision");
        String digits = text.startsWith("ch-") ? text.substring(3) : text;
        if (!digits.matches("[0-9]{1,18}")) {
            throw noSuch(text);
        }
        return Long.parseLong(digits);
    }

    private static ProblemException noSuch(String revision) {
        return ProblemException.refused(
                ErrorCode.NOT_FOUND,
                "there is no change " + Plain.text(revision),
                "list the changes to find the right one");
    }

    private Reply create(Call call) {
        Envelope.requireJson(call);
        Batch batch = Batch.read(call, AsOf.present(call, services), services);
        WriteRequest request = desk.request(call, batch.operations(), batch.reason());
        return committed(desk.write(batch.direct() ? request.with(WriteRequest.Flag.DIRECT) : request, batch::place));
    }

    private Reply revert(Call call) {
        long revision = revision(call);
        CommitOutline outline = outline(revision);
        refusePartial(outline, new SeenInPast(services.history(), services.powers(call.caller())));
        boolean tokens = outline.changes().stream()
                .anyMatch(change -> change.key().type().equals(Types.TOKEN));
        if (tokens) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "change " + revision + " is about tokens, and those are not brought back",
                    "make a new token, or revoke the one that was made");
        }
        List<Operation> operations = Undoing.commit(services.history(), revision);
        return committed(desk.write(
                desk.request(call, operations).marked(Map.of("reverts", Long.toString(revision))), pointer -> pointer));
    }

    /** A part of a change cannot be reverted, and the caller must not learn about the other part. */
    private static void refusePartial(CommitOutline outline, SeenInPast seen) {
        int visible = seen.changes(outline).size();
        if (visible == 0 && !outline.changes().isEmpty()) {
            throw noSuch(Long.toString(outline.commit().revision()));
        }
        if (visible < outline.changes().size()) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN,
                    "change " + outline.commit().revision() + " is not yours alone",
                    "change your part of it by hand, or ask its author");
        }
    }

    private static Reply committed(Outcome outcome) {
        boolean made = outcome instanceof Outcome.Committed || outcome instanceof Outcome.Replayed;
        Reply reply = WriteDesk.changed(made ? 201 : 200, outcome);
        return made ? reply.with("Location", LIST + "/" + WriteDesk.revision(outcome)) : reply;
    }
}
