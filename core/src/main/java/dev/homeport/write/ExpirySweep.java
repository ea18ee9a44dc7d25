package dev.homeport.write;

import dev.homeport.access.Actor;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.History;
import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Expired;
import dev.homeport.fleet.Expiries;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes what has expired, one document and one commit at a time, through the writer like any other change. A removal that
 * would remove more than was confirmed when the expiry was set is postponed and reported instead.
 */
public final class ExpirySweep {
    private final Writer writer;
    private final History history;
    private final ClusterContact contact;

    public ExpirySweep(Writer writer, History history, ClusterContact contact) {
        this.writer = writer;
        this.history = history;
        this.contact = contact;
    }

    /** A document whose expiry could not be carried out, and why. */
    public record Held(DocumentKey key, String reason) {}

    /** @param removed documents from which something was removed */
    public record Swept(List<DocumentKey> removed, List<Held> held) {}

    public Swept sweep(Snapshot snapshot, Instant now) {
        List<DocumentKey> removed = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        String end = Expiries.sortable(now.plusNanos(1000));
        for (Map.Entry<String, DocumentKey> expiry : snapshot.expiries()) {
            if (expiry.getKey().compareTo(end) >= 0) {
                break;
            }
            Document document = snapshot.find(expiry.getValue()).orElseThrow();
            try {
                removal(snapshot, document, now).ifPresent(removal -> carryOut(document, removal, removed, held));
            } catch (BrokenDocument e) {
                held.add(new Held(document.key(), String.valueOf(e.getMessage())));
            }
        }
        return new Swept(removed, held);
    }

    private void carryOut(Document document, Operation removal, List<DocumentKey> removed, List<Held> held) {
        WriteRequest plain = WriteRequest.of(Actor.SYSTEM, "expired", removal)
                .marked(Map.of("expired", document.key().toString()));
        // The end of an unprotected cluster was confirmed when it was set; see Later.
        WriteRequest request = removal instanceof Operation.Decommission ? plain.with(WriteRequest.Flag.DIRECT) : plain;
        try {
            writer.write(request);
            removed.add(document.key());
        } catch (ConfirmationRequired e) {
            if (e.plan().effectHash().equals(confirmedEffect(document))) {
                writer.write(request.confirmedBy(e.token()));
                removed.add(document.key());
            } else {
                held.add(new Held(document.key(), String.valueOf(e.getMessage())));
            }
        } catch (ProblemException e) {
            // Tokens go with the one that made them, which may have come first.
            if (e.problem().code() != ErrorCode.NOT_FOUND) {
                held.add(new Held(document.key(), String.valueOf(e.getMessage())));
            }
        }
    }

    private String confirmedEffect(Document document) {
        return history.outline(document.updated().revision())
                .map(commit -> commit.commit().marks().getOrDefault(Later.mark(document.key()), ""))
                .orElse("");
    }

    private Optional<Operation> removal(Snapshot snapshot, Document document, Instant now) {
        return switch (document.type()) {
            case Types.FREEZE, Types.TOKEN, Types.ACCESS_GRANT, Types.SIGN_OUT ->
                Optional.of(new Operation.Delete(document.key(), Expected.ANY));
            case Types.CLUSTER_LIFE -> endOfLife(document, now);
            case Types.CLUSTER -> {
                ClusterLife life = ClusterLife.of(snapshot.document(Types.CLUSTER_LIFE, document.id()));
                Instant end = Cluster.of(document).expiresAt();
                if (life.phase() != ClusterLife.Phase.ACTIVE) {
                    yield Optional.empty();
                }
                yield end != null && !end.isAfter(now)
                        ? Optional.of(new Operation.Decommission(document.id(), Optional.empty()))
                        : Optional.of(edit(document, now));
            }
            default -> Optional.of(edit(document, now));
        };
    }

    private static Operation edit(Document document, Instant now) {
        return new Operation.Replace(
                document.key(),
                Expired.without(document, now),
                new Expected.Revision(document.updated().revision()));
    }

    private Optional<Operation> endOfLife(Document document, Instant now) {
        ClusterLife life = ClusterLife.of(document);
        if (life.phase() != ClusterLife.Phase.ACTIVE) {
            return Optional.empty();
        }
        Instant leaveAt = life.leaveAt();
        boolean graceOver = leaveAt == null ? life.releasing() : !leaveAt.isAfter(now);
        if (graceOver && (!life.releasing() || contact.released(document.id()))) {
            return Optional.of(new Operation.Decommission(document.id(), Optional.empty()));
        }
        ClusterLife.Pause pause = life.pause();
        Instant resumeAt = pause == null ? null : pause.note().expiresAt();
        return resumeAt != null && !resumeAt.isAfter(now)
                ? Optional.of(new Operation.Resume(document.id()))
                : Optional.empty();
    }
}
