package dev.homeport.bench.core;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Proposal;
import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import tools.jackson.databind.node.ObjectNode;

/** Writes what the writer would write, without asking it: a million clusters are to be there in minutes. */
public final class BulkLoad {
    private static final int BATCH = 5_000;
    private static final Actor ACTOR = new Actor(Actor.Kind.PERSON, "bench");

    private BulkLoad() {}

    /** Appends clusters with the numbers from {@code from} to below {@code to}. */
    static void append(ChangeLog log, int from, int to) {
        append(log, from, to, number -> List.of());
    }

    /** The same, each together with other changes. */
    public static void append(ChangeLog log, int from, int to, IntFunction<List<Change>> more) {
        for (int start = from; start < to; start += BATCH) {
            List<Change> changes = new ArrayList<>(3 * BATCH);
            for (int number = start; number < Math.min(to, start + BATCH); number++) {
                String id = SampleFleet.clusterId(number);
                changes.add(new Change.Put(new DocumentKey(Types.CLUSTER, id), Body.of(SampleFleet.cluster(number))));
                changes.add(new Change.Put(ClusterLifeForm.key(id), life(id)));
                changes.addAll(more.apply(number));
            }
            commit(log, "a bulk load", changes);
        }
    }

    /** Changes every cluster below {@code to} in one commit, to what no earlier commit wrote. */
    public static void changeAll(ChangeLog log, int to) {
        long value = System.nanoTime();
        List<Change> changes = new ArrayList<>(to);
        for (int number = 0; number < to; number++) {
            ObjectNode body = SampleFleet.cluster(number);
            ((ObjectNode) body.get("patches").get(SampleFleet.EVERYWHERE)).put("controller.epoch", value);
            changes.add(new Change.Put(new DocumentKey(Types.CLUSTER, SampleFleet.clusterId(number)), Body.of(body)));
        }
        commit(log, "one large commit", changes);
    }

    private static void commit(ChangeLog log, String reason, List<Change> changes) {
        Proposal proposal =
                new Proposal(log.head(), ACTOR, reason, Instant.now(), "", Optional.empty(), Map.of(), changes);
        if (!(log.append(proposal) instanceof AppendResult.Appended)) {
            throw new IllegalStateException("another process writes to the store");
        }
    }

    /** What the writer keeps about a cluster whose three types have all been filled. */
    static Body life(String id) {
        ClusterLife life = ClusterLife.NEWBORN
                .withFilled(Types.PLATFORM_COMPONENT)
                .withFilled(Types.NAMESPACE)
                .withFilled(Types.ROLEBINDING);
        return ClusterLifeForm.write(id, life);
    }
}
