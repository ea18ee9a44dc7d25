package dev.homeport.snapshot;

import dev.homeport.change.Commit;
import dev.homeport.change.CommitQuery;
import dev.homeport.change.History;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.RuntimeTypes;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.problem.WorkBudget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of one cluster at revision after revision, newest first. It begins with the documents in memory, and a
 * document that was read once is read again only when the walk passes the commit that wrote it, so a step that does not
 * concern the cluster reads nothing.
 */
public final class PastWalk {
    private final History history;
    private final Snapshot present;
    private final String cluster;
    private final Map<DocumentKey, Known> read = new HashMap<>();
    private final Map<Long, List<Object>> told = new HashMap<>();
    private @Nullable KnownTypes types;

    public PastWalk(History history, Snapshot present, String cluster) {
        this.history = history;
        this.present = present;
        this.cluster = cluster;
    }

    /** A document, or that there was none, as it was from one revision to another. */
    private record Known(@Nullable Document document, long from, long to) {
        boolean holds(long revision) {
            return from <= revision && revision <= to;
        }
    }

    private record KnownTypes(TypeCatalog catalog, long from, long to) {}

    /** Whether the commit made any answer of the cluster another one. */
    public boolean changedAnswers(Commit commit) {
        return !told(commit.revision()).equals(told(commit.revision() - 1));
    }

    /** The documents of a revision. */
    public FleetView at(long revision) {
        return new View(revision);
    }

    private List<Object> told(long revision) {
        return told.computeIfAbsent(revision, this::answers);
    }

    private List<Object> answers(long revision) {
        WorkBudget.current().check();
        FleetView view = at(revision);
        Document document = view.document(Types.CLUSTER, cluster);
        List<Object> answers = new ArrayList<>();
        if (document == null) {
            return answers;
        }
        for (String type : view.types().itemTypes()) {
            answers.add(type);
            answers.add(
                    switch (Answers.of(view, document, view.types().named(type).orElseThrow())) {
                        case Answer.Hold _ -> "hold";
                        case Answer.Detached _ -> "detached";
                        case Answer.Served served ->
                            ByteBuffer.wrap(
                                    Rendering.render(served, WireShape.FLAT).body());
                    });
        }
        return answers;
    }

    /** The state at a revision. */
    private final class View implements FleetView {
        private final long revision;

        View(long revision) {
            this.revision = revision;
        }

        @Override
        public @Nullable Document document(String type, String id) {
            DocumentKey key = new DocumentKey(type, id);
            Known known = read.get(key);
            if (known == null || !known.holds(revision)) {
                known = look(key, revision);
                read.put(key, known);
            }
            return known.document();
        }

        @Override
        public TypeCatalog types() {
            KnownTypes known = types;
            if (known == null || known.from() > revision || known.to() < revision) {
                known = lookAtTypes(revision);
                types = known;
            }
            return known.catalog();
        }
    }

    private Known look(DocumentKey key, long revision) {
        Optional<Document> now = present.find(key);
        if (now.isPresent() && now.get().updated().revision() <= revision) {
            return new Known(now.get(), now.get().updated().revision(), present.revision());
        }
        Optional<Document> then = history.documentAt(key, revision);
        if (then.isPresent()) {
            return new Known(then.get(), then.get().updated().revision(), revision);
        }
        // It was never there, or removed by the last commit before.
        List<Commit> last = history.commitsOf(key, revision + 1, 1);
        return new Known(null, last.isEmpty() ? 0 : last.getFirst().revision(), revision);
    }

    private KnownTypes lookAtTypes(long revision) {
        List<Commit> last = history.commits(
                CommitQuery.newest(1).below(revision + 1).changing(Set.of(Types.TYPE), Optional.empty()));
        TypeCatalog all = BuiltInTypes.catalog();
        for (Document type : history.documentsAt(Types.TYPE, revision)) {
            all = all.with(RuntimeTypes.definition(type.tree()));
        }
        return new KnownTypes(all, last.isEmpty() ? 0 : last.getFirst().revision(), revision);
    }
}
