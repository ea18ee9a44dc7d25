package dev.homeport.server.events;

import dev.homeport.access.EventSignature;
import dev.homeport.access.MasterKey;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.fleet.Cluster;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.ClusterReview;
import dev.homeport.observe.FluxEvent;
import dev.homeport.observe.Report;
import dev.homeport.observe.TemplateFailure;
import dev.homeport.observe.Verdict;
import dev.homeport.observe.Wanted;
import dev.homeport.observe.Witness;
import dev.homeport.observe.WitnessExpression;
import dev.homeport.observe.WitnessQuestions;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.FailedLogins;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an event is worth. The sender is determined by the path and the signature; nothing in the body can change
 * that.
 */
final class EventDesk {
    private static final Duration OLDEST = Duration.ofHours(24);
    private static final int LONGEST_MESSAGE = 1_000;
    private static final int LONGEST_REVISION = 300;

    private final LogFollower follower;
    private final MasterKey master;
    private final Reports reports;
    private final FailedLogins failedLogins;
    private final Strangers strangers;
    private final ReportedAnswers answers;
    private final WantedBook wanted = new WantedBook();

    EventDesk(
            LogFollower follower,
            MasterKey master,
            Reports reports,
            FailedLogins failedLogins,
            Strangers strangers,
            ReportedAnswers answers) {
        this.follower = follower;
        this.master = master;
        this.reports = reports;
        this.failedLogins = failedLogins;
        this.strangers = strangers;
        this.answers = answers;
    }

    /**
     * The result of an event.
     *
     * @param news what has to be saved before the reply is sent, null for nothing
     * @param witness the same for the report of a witness
     */
    record Judged(
            EventOutcome outcome,
            Reply reply,
            @Nullable Report news,
            @Nullable Witness witness) {
        static Judged taken(EventOutcome outcome) {
            return refused(outcome, accepted());
        }

        static Judged refused(EventOutcome outcome, Reply reply) {
            return new Judged(outcome, reply, null, null);
        }
    }

    static Reply accepted() {
        return Reply.json(202, StrictJson.object().put("status", "accepted"));
    }

    Judged judge(Posted posted) {
        if (follower.state() instanceof FollowerState.Quarantined) {
            return Judged.refused(
                    EventOutcome.OVERFLOW,
                    ProblemReply.of(ErrorCode.QUARANTINED, "nothing is taken in quarantine", "try again later", "")
                            .with("Retry-After", "60"));
        }
        Snapshot snapshot = follower.live().current();
        Optional<Document> cluster = snapshot.clusterByDns(posted.dns().toLowerCase(Locale.ROOT));
        // An unknown name takes as long as a wrong signature.
        List<String> keys = cluster.map(document ->
                        master.eventKeys(document.id(), document.created().revision(), Cluster.eventKey(document)))
                .orElseGet(() -> master.eventKeys("", 0, 1));
        boolean signed = EventSignature.isValid(posted.signature(), posted.body(), keys);
        if (!signed || cluster.isEmpty()) {
            return Judged.refused(EventOutcome.UNAUTHENTICATED, unknown(posted, cluster.isPresent()));
        }
        try {
            return judge(posted, FluxEvent.read(posted.body()), snapshot, cluster.get());
        } catch (ProblemException e) {
            return Judged.refused(EventOutcome.MALFORMED, ProblemReply.of(e.problem(), ""));
        }
    }

    /** The sender does not learn whether the name is known; a finding reports it. */
    private Reply unknown(Posted posted, boolean nameIsKnown) {
        if (failedLogins.tooMany(posted.address(), Optional.empty())) {
            return ProblemReply.of(
                            ErrorCode.TOO_MANY_REQUESTS,
                            "too many wrong signatures from this address",
                            "wait a minute",
                            "")
                    .with("Retry-After", "60");
        }
        strangers.note(
                posted.dns(),
                posted.address(),
                nameIsKnown ? "event with a wrong signature" : "event for an unknown name",
                posted.receivedAt());
        return ProblemReply.of(
                ErrorCode.UNAUTHENTICATED,
                "the event is not signed with this cluster's key",
                "check the name in the path, and the key in the provider's secret: no line end belongs to it",
                "");
    }

    private Judged judge(Posted posted, FluxEvent event, Snapshot snapshot, Document cluster) {
        if (event.at().isAfter(posted.receivedAt().plus(ClusterReview.SKEW))) {
            throw ProblemException.invalid(
                    "/timestamp", "this is more than ten minutes from now", "set the cluster's clock");
        }
        if (event.at().isBefore(posted.receivedAt().minus(OLDEST))) {
            return Judged.taken(EventOutcome.LATE);
        }
        WantedBook.Page page = wanted.of(snapshot, cluster);
        compareLater(posted, event, cluster, page);
        Optional<WitnessExpression.Reading> reading = WitnessExpression.read(event);
        if (reading.isPresent()) {
            return witness(posted, event, reading.get(), snapshot, cluster, page);
        }
        Optional<String> subject = subject(event, snapshot, cluster, page);
        if (subject.isEmpty()) {
            return Judged.taken(EventOutcome.UNRELATED);
        }
        String answer = event.meta(FluxEvent.ANSWER);
        Report report = new Report(
                cluster.id(),
                subject.get(),
                event.object(),
                Verdict.of(event),
                event.at(),
                event.resourceVersion(),
                digest(posted.body()),
                shortened(event.meta("revision"), LONGEST_REVISION),
                shortened(answer, LONGEST_REVISION),
                item(event, page),
                event.reason(),
                shortened(TemplateFailure.sentenceFirst(event.message()), LONGEST_MESSAGE),
                posted.receivedAt());
        return reports.add(report)
                ? new Judged(EventOutcome.ACCEPTED, accepted(), report, null)
                : Judged.taken(EventOutcome.DUPLICATE);
    }

    private void compareLater(Posted posted, FluxEvent event, Document cluster, WantedBook.Page page) {
        String item = event.meta(FluxEvent.ITEM);
        if (item.isEmpty()) {
            answers.noteAnswer(cluster.id(), event.meta(FluxEvent.ANSWER), posted.address(), posted.receivedAt());
        } else if (item.length() == Wanted.DIGEST_LENGTH
                && !event.component().isEmpty()
                && !page.mentions(event.component(), item)) {
            answers.noteItem(cluster.id(), event.component(), item, posted.address(), posted.receivedAt());
        }
    }

    /** Newer templates name the item itself; before, it is found through the answer. */
    private static String item(FluxEvent event, WantedBook.Page page) {
        String item = event.meta(FluxEvent.ITEM);
        return item.isEmpty()
                ? page.item(event.meta(FluxEvent.ANSWER), event.component())
                : shortened(item, LONGEST_REVISION);
    }

    private Judged witness(
            Posted posted,
            FluxEvent event,
            WitnessExpression.Reading reading,
            Snapshot snapshot,
            Document cluster,
            WantedBook.Page page) {
        boolean asked = reading.id().equals(Witness.OF_UNREADABLE)
                || WitnessQuestions.of(
                                snapshot,
                                cluster,
                                page.now(),
                                reports.witnesses(cluster.id()),
                                reports.of(cluster.id()),
                                reports.questions(cluster.id()))
                        .stream()
                        .anyMatch(question -> question.id().equals(reading.id()));
        if (!asked) {
            return Judged.taken(EventOutcome.UNRELATED);
        }
        Witness witness = new Witness(
                cluster.id(),
                reading.id(),
                reading.value(),
                event.at(),
                event.resourceVersion(),
                digest(posted.body()),
                posted.receivedAt());
        return reports.add(witness)
                ? new Judged(EventOutcome.ACCEPTED, accepted(), null, witness)
                : Judged.taken(EventOutcome.DUPLICATE);
    }

    /** A cluster may run more than we asked it to; what it says about that is its own business. */
    private Optional<String> subject(FluxEvent event, Snapshot snapshot, Document cluster, WantedBook.Page page) {
        String component = event.component();
        if (!component.isEmpty()) {
            String subject = Report.component(component);
            return page.mentions(component) || reports.hasAbout(cluster.id(), subject)
                    ? Optional.of(subject)
                    : Optional.empty();
        }
        return snapshot.types().withPlural(event.meta(FluxEvent.TYPE)).map(type -> Report.type(type.plural()));
    }

    private static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end);
    }

    private static String digest(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
