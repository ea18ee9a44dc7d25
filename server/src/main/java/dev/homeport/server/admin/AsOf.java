package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.snapshot.PastView;
import dev.homeport.snapshot.Snapshot;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state that a read is about: the present, or a revision or time in the past. */
sealed interface AsOf {
    String NAME = "as_of";

    FleetView view();

    long revision();

    /** The reader's current permissions. */
    Powers powers();

    /** All documents of a type that the reader sees, ordered by id. */
    Iterable<Document> all(String type);

    /** The present, from memory. */
    record Present(Snapshot snapshot, Powers powers) implements AsOf {
        @Override
        public FleetView view() {
            return snapshot;
        }

        @Override
        public long revision() {
            return snapshot.revision();
        }

        @Override
        public Iterable<Document> all(String type) {
            if (powers.seesAll()) {
                return snapshot.all(type).values();
            }
            return type.equals(Types.CLUSTER)
                    ? SeenClusters.inOrder(snapshot, SeenClusters.of(snapshot, powers))
                    : seen(snapshot.all(type).values(), powers);
        }
    }

    /** The past, from the log. */
    record Past(PastView past, History history, Powers powers) implements AsOf {
        @Override
        public FleetView view() {
            return past;
        }

        @Override
        public long revision() {
            return past.revision();
        }

        @Override
        public Iterable<Document> all(String type) {
            return seen(history.documentsAt(type, past.revision()), powers);
        }
    }

    private static Iterable<Document> seen(Iterable<Document> all, Powers powers) {
        if (powers.seesAll()) {
            return all;
        }
        List<Document> seen = new ArrayList<>();
        WorkBudget budget = WorkBudget.current();
        all.forEach(document -> {
            budget.spend(WorkBudget.INDEXED_LOOK);
            if (powers.sees(document)) {
                seen.add(document);
            }
        });
        return seen;
    }

    static Present present(Call call, Services services) {
        Snapshot snapshot = services.snapshot();
        return new Present(snapshot, services.rights().powers(snapshot, call.caller()));
    }

    static AsOf of(Call call, Services services) {
        Present present = present(call, services);
        Snapshot snapshot = present.snapshot();
        Optional<String> asked = call.query(NAME);
        if (asked.isEmpty()) {
            return present;
        }
        long revision = revision(asked.get(), services, snapshot);
        if (revision < 1) {
            throw ProblemException.refused(
                    ErrorCode.BEFORE_HORIZON, "the log begins later", "ask for revision 1 or a later time");
        }
        return revision == snapshot.revision()
                ? present
                : new Past(new PastView(services.history(), revision), services.history(), present.powers());
    }

    private static long revision(String text, Services services, Snapshot snapshot) {
        if (text.matches("[0-9]{1,18}")) {
            long revision = Long.parseLong(text);
            if (revision > snapshot.revision()) {
                throw wrong("revision " + revision + " does not exist yet; the newest is " + snapshot.revision());
            }
            return revision;
        }
        Instant time = time(text).orElseThrow(() -> wrong("this is neither a revision nor a time"));
        if (time.isAfter(services.clock().instant())) {
            throw wrong("this time is in the future");
        }
        return services.history().revisionAt(time);
    }

    /** A time as RFC 3339 has it. */
    static Optional<Instant> time(String text) {
        try {
            return text.length() > 40
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static ProblemException wrong(String why) {
        return ProblemException.invalid(
                "/" + NAME, why, "send a revision such as 42, or a time such as 2027-01-31T12:00:00Z");
    }

    /** The type with this word in its path; types that only Homeport writes are hidden. */
    default TypeDefinition type(String plural) {
        return view().types()
                .withPlural(plural)
                .filter(type -> type.part() != TypeDefinition.Part.INTERNAL)
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.NOT_FOUND,
                        "there is no type with the plural " + Plain.text(plural),
                        "GET /api/v2/types lists the types there are"));
    }

    default Document document(TypeDefinition type, String id) {
        Document found = view().document(type.name(), id);
        if (found == null || !powers().sees(found)) {
            throw missing(new DocumentKey(type.name(), id));
        }
        return found;
    }

    static ProblemException missing(DocumentKey key) {
        return ProblemException.refused(
                ErrorCode.NOT_FOUND, "there is no " + key.type() + "/" + Plain.text(key.id()), "check the id");
    }
}
