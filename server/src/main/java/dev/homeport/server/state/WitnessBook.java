package dev.homeport.server.state;

import dev.homeport.document.Document;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.observe.WitnessAnswer;
import dev.homeport.server.poll.WitnessPolls;
import dev.homeport.snapshot.AnswerBook.Page;
import dev.homeport.snapshot.Snapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** Answers about witnesses in bytes, from the cache while neither the log, nor reports, nor the period has moved. */
public final class WitnessBook implements WitnessPolls {
    private final AnswerCache cache;
    private final Observed observed;
    private final BooleanSupplier knowsReports;
    private final InstantSource clock;

    /** @param knowsReports whether what clusters reported before this server started is known */
    public WitnessBook(AnswerCache cache, Observed observed, BooleanSupplier knowsReports, InstantSource clock) {
        this.cache = cache;
        this.observed = observed;
        this.knowsReports = knowsReports;
        this.clock = clock;
    }

    /** What an answer depends on besides the cluster's own documents. */
    private record Shared(Object state, long reports, String interval, long period) {}

    @Override
    public Page look(Snapshot snapshot, Document cluster) {
        if (!knowsReports.getAsBoolean()) {
            return new Page.Hold("what the cluster reported before is not read yet");
        }
        Instant now = clock.instant();
        AnswerCache.Key key = new AnswerCache.Key(cluster.id(), WitnessAnswer.PLURAL, WireShape.SET);
        AnswerCache.State documents = snapshot.stateOf(cluster);
        AnswerCache.State state = new AnswerCache.State(
                new Shared(
                        documents.shared(),
                        observed.reports().version(cluster.id()),
                        WitnessAnswer.interval(snapshot, cluster, observed),
                        WitnessAnswer.period(cluster.id(), now)),
                documents.cluster(),
                documents.life());
        AnswerCache.Entry known = cache.get(key, state);
        if (known != null) {
            return new Page.Ready(known);
        }
        return switch (WitnessAnswer.of(snapshot, cluster, observed, now)) {
            case Answer.Hold hold -> new Page.Hold(hold.reason());
            case Answer.Detached detached -> new Page.Detached(detached.revision());
            case Answer.Served served -> new Page.Ready(cache.put(key, state, Rendering.render(served, WireShape.SET)));
        };
    }
}
