package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.change.Commit;
import dev.homeport.change.History;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ReservedName;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.WorkBudget;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The history as far as the caller sees it: commits that touch only hidden documents are left out, and others show the
 * visible part.
 */
final class CommitPages {
    /** So many commits are looked at for one page; the next page goes on from there. */
    private static final int MOST_LOOKED_AT = 2000;

    private final History history;
    private final Powers powers;

    CommitPages(History history, Powers powers) {
        this.history = history;
        this.powers = powers;
    }

    /** Commits below a revision, newest first. */
    interface Source {
        List<Commit> below(long revision, int limit);
    }

    /**
     * @param wanted of the changes that the reader sees, those that a commit must have one of
     * @param text what the part that the reader sees must say; the source may have found it in another
     */
    ObjectNode of(Paging paging, Source source, Predicate<RecordedChange> wanted, Optional<String> text) {
        if (powers.seesAll()) {
            return CommitJson.page(source.below(paging.afterNumber(Long.MAX_VALUE), paging.size() + 1), paging);
        }
        ObjectNode body = StrictJson.object();
        ArrayNode items = body.putArray("items");
        long below = paging.afterNumber(Long.MAX_VALUE);
        int looked = 0;
        while (items.size() < paging.size() && looked < MOST_LOOKED_AT) {
            List<Commit> commits = source.below(below, paging.size());
            if (commits.isEmpty()) {
                return body;
            }
            for (Commit commit : commits) {
                if (items.size() < paging.size()) {
                    WorkBudget.current().check();
                    below = commit.revision();
                    looked++;
                    one(commit, wanted, text).ifPresent(items::add);
                }
            }
        }
        return body.put("next_page_token", Paging.token(below));
    }

    private Optional<ObjectNode> one(Commit commit, Predicate<RecordedChange> wanted, Optional<String> text) {
        List<RecordedChange> seen =
                history.commit(commit.revision()).map(this::changes).orElse(List.of());
        return seen.stream().anyMatch(wanted) && says(commit, seen, text)
                ? Optional.of(header(commit, seen.size()))
                : Optional.empty();
    }

    /** Whether what the reader sees of a commit has the text in it, as {@link dev.homeport.change.CommitQuery} means it. */
    boolean says(Commit commit, List<RecordedChange> seen, Optional<String> text) {
        if (text.isEmpty() || powers.seesAll()) {
            return true;
        }
        String wanted = lower(text.get());
        return lower(powers.discreet(commit.reason())).contains(wanted)
                || lower(commit.actor().toString()).contains(wanted)
                || seen.stream().anyMatch(change -> lower(change.key().id()).contains(wanted));
    }

    /** Only of ASCII letters the case does not matter. */
    private static String lower(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.chars().forEach(one -> out.append((char) (one >= 'A' && one <= 'Z' ? one + 32 : one)));
        return out.toString();
    }

    /** A commit's header for this reader. */
    ObjectNode header(Commit commit, int seen) {
        ObjectNode json = CommitJson.of(commit);
        if (powers.seesAll()) {
            return json;
        }
        json.put("change_count", seen);
        json.put("reason", powers.discreet(commit.reason()));
        ObjectNode marks = json.putObject("marks");
        commit.marks().forEach((name, value) -> {
            if (powers.discreet(name).equals(name) && powers.discreet(value).equals(value)) {
                marks.put(name, value);
            }
        });
        return json;
    }

    /** Those changes of a commit that the reader sees, before or after. */
    List<RecordedChange> changes(RecordedCommit recorded) {
        if (powers.seesAll()) {
            return recorded.changes();
        }
        long revision = recorded.commit().revision();
        return recorded.changes().stream()
                .filter(change -> side(change, recorded)
                                .filter(document -> sees(document, revision))
                                .isPresent()
                        || history.documentAt(change.key(), revision - 1)
                                .filter(document -> sees(document, revision - 1))
                                .isPresent())
                .toList();
    }

    private static Optional<Document> side(RecordedChange change, RecordedCommit recorded) {
        return change.after()
                .map(body -> Document.of(
                        change.key(),
                        body,
                        recorded.commit().stamp(),
                        recorded.commit().stamp()));
    }

    /** A record about a cluster is visible to callers who could see the cluster at that time. */
    boolean sees(Document document, long revision) {
        if (document.type().equals(Types.RESERVED_NAME) && !powers.seesAll()) {
            DocumentKey cluster =
                    new DocumentKey(Types.CLUSTER, ReservedName.of(document).cluster());
            return Stream.of(revision - 1, revision)
                    .flatMap(at -> history.documentAt(cluster, at).stream())
                    .anyMatch(powers::sees);
        }
        if (!document.type().equals(Types.CLUSTER_LIFE) || powers.seesAll()) {
            return powers.sees(document);
        }
        return history.documentAt(new DocumentKey(Types.CLUSTER, document.id()), revision)
                .filter(powers::sees)
                .isPresent();
    }
}
