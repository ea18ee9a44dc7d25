package dev.homeport.observe;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Proof;
import dev.homeport.fleet.Rendering;
import dev.homeport.write.Operation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer with a cluster's witnesses: an item for each set that looks at objects. Unlike other answers it depends on what
 * was observed and on the time. A missing item removes one set, which owns nothing.
 */
public final class WitnessAnswer {
    /** The type as in the poll's path. No document has it. */
    public static final String PLURAL = Types.WITNESSES;

    /** Objects say which item they were made from in this format and later ones. */
    public static final int FIRST_FORMAT = 3;

    private WitnessAnswer() {}

    public static Answer of(FleetView view, Document document, ClusterReview.Observed observed, Instant now) {
        try {
            return answer(view, document, observed, now);
        } catch (BrokenDocument e) {
            return new Answer.Hold(String.valueOf(e.getMessage()));
        }
    }

    /** The part of the time that an answer depends on: while this stays the same, time alone does not change it. */
    public static long period(String cluster, Instant now) {
        return WitnessPlan.period(cluster, WitnessPlan.SOON_AGAIN, now);
    }

    /**
     * How often the cluster polls, as it said with its last poll: manifests may set another interval than the document. What
     * was only measured differs from poll to poll, and each value would be another set.
     */
    public static String interval(FleetView view, Document document, ClusterReview.Observed observed) {
        return observed.poll(document.id(), Wanted.components(view).plural())
                .map(ObservedPoll::every)
                .filter(every -> !every.isEmpty() && !PollInterval.isMeasured(every))
                .orElseGet(() ->
                        document.fault().isPresent() ? "" : Cluster.of(document).pollInterval());
    }

    /** Whether clusters are asked at all. */
    static boolean areAsked(FleetView view) {
        FleetSettings settings = FleetSettings.orStandard(view);
        return settings.witnesses() && settings.answerFormat() >= FIRST_FORMAT;
    }

    private static Answer answer(FleetView view, Document document, ClusterReview.Observed observed, Instant now) {
        ClusterLife life = ClusterLife.of(view.document(Types.CLUSTER_LIFE, document.id()));
        FleetSettings settings = FleetSettings.of(view);
        int format = life.paused().flatMap(ClusterLife.Pause::format).orElse(settings.answerFormat());
        if (format > Rendering.NEWEST_FORMAT || settings.answerFormat() > Rendering.NEWEST_FORMAT) {
            return new Answer.Hold("the fleet's answer format " + format + " is newer than this server knows");
        }
        if (life.phase() == ClusterLife.Phase.DETACHED) {
            return new Answer.Detached(life.since());
        }
        ClusterBlock block =
                life.paused().map(ClusterLife.Pause::cluster).orElseGet(() -> ClusterBlock.of(Cluster.of(document)));
        if (!settings.witnesses() || format < FIRST_FORMAT) {
            return new Answer.ConfirmedEmpty(
                    block,
                    PLURAL,
                    format,
                    List.of(),
                    new Proof.Emptied(revision(view, Types.SETTINGS, FleetSettings.ID)));
        }
        if (Answers.of(view, document, Wanted.components(view)) instanceof Answer.Hold hold) {
            return hold;
        }
        Wanted wanted = Wanted.of(view, document);
        Instant born = document.created().at();
        Collection<Witness> known = observed.witnesses(document.id()).stream()
                .filter(witness -> !witness.receivedAt().isBefore(born))
                .toList();
        boolean leaves = life.phase() == ClusterLife.Phase.LEAVING;
        List<WitnessQuestion> questions = WitnessQuestions.of(
                        view,
                        document,
                        wanted,
                        known,
                        observed.reports(document.id()),
                        observed.questions(document.id()))
                .stream()
                // Nothing is left of a cluster that has left, witnesses included.
                .filter(question -> !leaves || question.form().isOfRemoval())
                .toList();
        List<Item> items = new WitnessPlan(
                        document.id(),
                        known,
                        observed.reports(document.id()),
                        wanted,
                        revision(view, Operation.Watch.KEY.type(), Operation.Watch.KEY.id()),
                        PollInterval.of(interval(view, document, observed)),
                        now)
                .items(questions);
        return items.isEmpty()
                ? new Answer.ConfirmedEmpty(
                        block,
                        PLURAL,
                        format,
                        List.of(),
                        new Proof.Emptied(revision(view, Types.SETTINGS, FleetSettings.ID)))
                : new Answer.Inputs(block, PLURAL, format, items);
    }

    private static long revision(FleetView view, String type, String id) {
        @Nullable Document document = view.document(type, id);
        return document == null ? 0 : document.updated().revision();
    }
}
