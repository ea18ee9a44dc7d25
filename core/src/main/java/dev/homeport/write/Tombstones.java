package dev.homeport.write;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;

/** A deleted cluster keeps its names until it is purged. */
final class Tombstones {
    private Tombstones() {}

    static ProblemException occupied(String what, String cluster) {
        return ProblemException.refused(
                ErrorCode.TOMBSTONED,
                what + " belongs to cluster/" + cluster + ", which is being decommissioned",
                "undelete it to go on with the same cluster, or purge it to use the name for a new one");
    }
}
