package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.Commit;
import dev.homeport.change.History;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.WorkBudget;
import dev.homeport.snapshot.SeenInPast;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The history as far as the caller sees it: commits that touch only hidden documents are left out, and others show the
 * visible part.
 */
final class CommitPages {
    /** So many commits are looked at for one page; the next page goes on from there. */
    private static final int MOST_LOOKED_AT = 2000;

    /** And about so many changes of theirs: a page never ends within a commit. */
    private static final int MOST_CHANGES = 20_000;

    private final History history;
    private final Powers powers;
    private final SeenInPast seen;

    CommitPages(History history, Powers powers) {
        this.history = history;
        this.powers = powers;
        this.seen = new SeenInPast(history, powers);
    }

    /** Commits below a revision, newest first. */
    interface Source {
        List<Commit> below(long revision, int limit);
    }

    /**
     * @param wanted of the changes that the reader sees, those that a commit must have one of
     * @param text what the part that the reader sees must say; the source may have found it in another
     */
    ObjectNode of(Paging paging, Source source, Predicate<ChangeOutline> wanted, Optional<String> text) {
        if (powers.seesAll()) {
            return CommitJson.page(source.below(paging.afterNumber(Long.MAX_VALUE), paging.size() + 1), paging);
        }
        ObjectNode body = StrictJson.object();
        ArrayNode items = body.putArray("items");
        long below = paging.afterNumber(Long.MAX_VALUE);
        int looked = 0;
        long changes = 0;
        while (items.size() < paging.size() && looked < MOST_LOOKED_AT && changes < MOST_CHANGES) {
            List<Commit> commits = source.below(below, paging.size());
            if (commits.isEmpty()) {
                return body;
            }
            for (Commit commit : commits) {
                if (items.size() < paging.size() && changes < MOST_CHANGES) {
                    WorkBudget.current().check();
                    below = commit.revision();
                    looked++;
                    changes += commit.changeCount();
                    one(commit, wanted, text).ifPresent(items::add);
                }
            }
        }
        return body.put("next_page_token", Paging.token(below));
    }

    private Optional<ObjectNode> one(Commit commit, Predicate<ChangeOutline> wanted, Optional<String> text) {
        List<ChangeOutline> changes =
                history.outline(commit.revision()).map(seen::changes).orElse(List.of());
        return changes.stream().anyMatch(wanted) && says(commit, changes, text)
                ? Optional.of(header(commit, changes.size()))
                : Optional.empty();
    }

    /** Whether what the reader sees of a commit has the text in it, as {@link dev.homeport.change.CommitQuery} means it. */
    boolean says(Commit commit, List<ChangeOutline> seen, Optional<String> text) {
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
}
