package dev.homeport.server.compat;

import dev.homeport.access.Powers;
import dev.homeport.access.Rights;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.json.CanonicalJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.server.poll.FreshSnapshot;
import dev.homeport.server.poll.UnreadableRow;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /clusters}, {@code /platform_components}, {@code /namespaces} and {@code /rolebindings}: lists, create, partial
 * update and delete without preconditions, as flux-resourceset has them.
 */
public final class RootRoutes {
    private final LogFollower follower;
    private final Writer writer;
    private final Rights rights;
    private final FreshSnapshot fresh;

    public RootRoutes(LogFollower follower, Writer writer, Rights rights, FreshSnapshot fresh) {
        this.fresh = fresh;
        this.rights = rights;
        this.follower = follower;
        this.writer = writer;
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (RootCollection collection : RootCollection.values()) {
            routes.addAll(new Paths(collection).routes());
        }
        return routes;
    }

    /** The operations of one collection. */
    private final class Paths {
        private final RootCollection collection;
        private final KnownFields known;

        Paths(RootCollection collection) {
            this.collection = collection;
            this.known = new KnownFields(BuiltInTypes.catalog()
                    .named(collection.type())
                    .orElseThrow()
                    .schema());
        }

        List<Route> routes() {
            String all = "/" + collection.path();
            String one = all + "/{id}";
            String word = collection.path().replace('_', ' ');
            Route.Handler list = this::list;
            Set<String> query = new HashSet<>(collection.filters());
            query.addAll(Set.of("limit", "offset"));
            return List.of(
                    route("GET", all, "list", "Lists " + word, Route.Needs.ROOT_READ, list.reading(query)),
                    route("POST", all, "create", "Creates one of the " + word, Route.Needs.ROOT_WRITE, this::create),
                    route("GET", one, "get", "Shows one of the " + word, Route.Needs.ROOT_READ, this::get),
                    route(
                            "PUT",
                            one,
                            "update",
                            "Changes fields of one of the " + word,
                            Route.Needs.ROOT_WRITE,
                            this::update),
                    route("DELETE", one, "delete", "Deletes one of the " + word, Route.Needs.ROOT_WRITE, this::delete));
        }

        private Route route(
                String method, String path, String verb, String summary, Route.Needs needs, Route.Handler handler) {
            return new Route(method, path, "root_" + collection.path() + "_" + verb, summary, needs, handler);
        }

        /** As clients delete what a list has no more, it is whole or an error; written row by row, as it may be the fleet. */
        private Reply list(Call call) {
            long offset = call.number("offset", 0, Long.MAX_VALUE, 0);
            long limit = call.number("limit", 0, Long.MAX_VALUE, Long.MAX_VALUE);
            Snapshot snapshot = fresh.require();
            Powers powers = rights.powers(snapshot, call.caller());
            WorkBudget budget = WorkBudget.current();
            StringBuilder rows = new StringBuilder("[");
            long found = 0;
            long skipped = 0;
            for (Document document : snapshot.all(collection.type()).values()) {
                if (found >= limit) {
                    break;
                }
                budget.spend(WorkBudget.LOOK);
                requireReadable(snapshot, document, powers);
                if (powers.sees(document) && isThere(snapshot, document)) {
                    ObjectNode body = document.tree();
                    if (matches(call, body) && skipped++ >= offset) {
                        rows.append(found++ == 0 ? "" : ",").append(CanonicalJson.text(collection.shown(body)));
                    }
                }
            }
            return Reply.text(200, Reply.JSON, rows.append(']').toString());
        }

        private void requireReadable(Snapshot snapshot, Document document, Powers powers) {
            boolean cluster = document.type().equals(Types.CLUSTER);
            boolean concerned = cluster || powers.sees(document);
            Optional<UnreadableRow> unreadable = Optional.empty();
            if (document.fault().isPresent()) {
                unreadable =
                        Optional.of(new UnreadableRow(document.key())); // where a cluster belongs is not known then
            } else if (cluster && powers.sees(document)) {
                unreadable = UnreadableRow.lifeOf(snapshot, document.id());
            }
            if (concerned && unreadable.isPresent()) {
                throw new ProblemException(
                        unreadable.get().problem("/" + collection.path() + " with all of its documents", powers));
            }
        }

        private boolean matches(Call call, ObjectNode body) {
            return collection.filters().stream()
                    .allMatch(field -> call.query(field)
                            .map(wanted -> body.path(field).asString("").equals(wanted))
                            .orElse(true));
        }

        private Reply get(Call call) {
            Snapshot snapshot = fresh.require();
            Document document = snapshot.document(collection.type(), call.parameter("id"));
            if (document != null) {
                Powers powers = rights.powers(snapshot, call.caller());
                if (powers.sees(document)) {
                    requireReadable(snapshot, document, powers);
                }
            }
            return Reply.json(200, body(existing(call, call.parameter("id"))));
        }

        private Reply create(Call call) {
            ObjectNode body = RootBody.read(call, known);
            RootBody.checkCreate(collection, body);
            DocumentKey key = new DocumentKey(collection.type(), body.get("id").stringValue());
            write(call, new Operation.Create(key, collection.born(body)));
            return Reply.json(200, body(existing(call, key.id())));
        }

        private Reply update(Call call) {
            ObjectNode changed = RootBody.read(call, known);
            changed.remove("id");
            RootBody.checkUpdate(changed);
            Document present = existing(call, call.parameter("id"));
            write(call, new Operation.Edit(present.key(), before -> merged(before, changed), Expected.ANY));
            return Reply.json(200, body(existing(call, present.id())));
        }

        private ObjectNode merged(ObjectNode before, ObjectNode changed) {
            ObjectNode after = before.deepCopy();
            after.setAll(changed.deepCopy());
            return after;
        }

        private Reply delete(Call call) {
            Document present = existing(call, call.parameter("id"));
            write(call, new Operation.Delete(present.key(), Expected.ANY));
            return Reply.json(200, body(present));
        }

        private ObjectNode body(Document document) {
            return collection.shown(document.tree());
        }

        private Document existing(Call call, String id) {
            Snapshot snapshot = follower.live().current();
            Document document = snapshot.document(collection.type(), id);
            if (document == null
                    || !isThere(snapshot, document)
                    || !rights.powers(snapshot, call.caller()).sees(document)) {
                throw ProblemException.refused(
                        ErrorCode.NOT_FOUND,
                        "there is no " + collection.type().replace('_', ' ') + " with this id",
                        "list /" + collection.path() + " to see those there are");
            }
            return document;
        }
    }

    /** A deleted cluster is not found here; its polls are still answered, so that Flux cleans up. */
    private static boolean isThere(Snapshot snapshot, Document document) {
        return !document.type().equals(Types.CLUSTER)
                || ClusterLife.of(snapshot.document(Types.CLUSTER_LIFE, document.id()))
                                .phase()
                        != ClusterLife.Phase.LEAVING;
    }

    private void write(Call call, Operation operation) {
        writer.write(new WriteRequest(
                call.caller(),
                "",
                List.of(operation),
                Set.of(WriteRequest.Flag.IMPORTED, WriteRequest.Flag.DIRECT),
                call.header("Homeport-Confirm"),
                Optional.empty(),
                call.requestId(),
                Map.of("through", "/" + operation.key().type())));
    }
}
