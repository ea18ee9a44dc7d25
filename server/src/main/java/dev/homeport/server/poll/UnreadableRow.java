package dev.homeport.server.poll;

import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.problem.Problem;
import dev.homeport.snapshot.Snapshot;
import java.util.Optional;

/** A document without which a list would be shorter than it is: by such lists clients delete, so the whole list is an error. */
public record UnreadableRow(DocumentKey key) {
    /** The record of a cluster, if it cannot be read. */
    public static Optional<UnreadableRow> lifeOf(Snapshot snapshot, String cluster) {
        return ClusterLife.ifReadable(snapshot.document(Types.CLUSTER_LIFE, cluster))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(new UnreadableRow(new DocumentKey(Types.CLUSTER_LIFE, cluster)));
    }

    /** @param what is not served because of it */
    public Problem.Refused problem(String what, Powers powers) {
        return new Problem.Refused(
                ErrorCode.UNAVAILABLE,
                what + " is not served: "
                        + (powers.isHidden(key.type(), key.id()) ? "a document of a cluster" : key.toString())
                        + " cannot be read",
                "restore that document; until then keep what is there");
    }
}
