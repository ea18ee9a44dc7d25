package dev.homeport.server.poll;

import dev.homeport.access.Caller;
import dev.homeport.access.Identification;
import dev.homeport.access.Rights;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.Rendered;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import dev.homeport.observe.Refusal;
import dev.homeport.observe.Stranger;
import dev.homeport.server.events.Strangers;
import dev.homeport.server.http.Credentials;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.http.Reply;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.tls.ClientCertificates;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers polls: token, snapshot, bytes. No SQL, no lock, no JSON work. Where it is not sure, it answers with an error, which
 * Flux takes as "keep what you have".
 */
public final class PollDesk implements AutoCloseable {
    /** The end of the log that the answer was made from. */
    public static final String REVISION = "Homeport-Revision";

    public static final String DIGEST = "Homeport-Digest";

    /** Milliseconds since that was known to be the end of the log. */
    public static final String AGE = "Homeport-Age-Ms";

    private static final Poller NO_TOKEN = new Poller.Unknown(
            "the token is missing or not valid",
            "send the cluster's token as a bearer, or as the password of basic authentication");

    private final LogFollower follower;
    private final Identification identification;
    private final Rights rights;
    private final AnswerBook answers;
    private final WitnessPolls witnesses;
    private final LastSeen lastSeen;
    private final InstantSource clock;
    private final FreshSnapshot fresh;
    private final PollLimits limits;
    private final Strangers strangers;
    private final RefusedAttempts refusals;
    private final ClusterListService lists;
    private final LongAdder inQuarantine = new LongAdder();

    public PollDesk(
            LogFollower follower,
            Identification identification,
            Rights rights,
            AnswerBook answers,
            WitnessPolls witnesses,
            LastSeen lastSeen,
            InstantSource clock,
            Duration freshness,
            PollLimits limits,
            Strangers strangers,
            RefusedAttempts refusals) {
        this.follower = follower;
        this.identification = identification;
        this.rights = rights;
        this.answers = answers;
        this.witnesses = witnesses;
        this.lastSeen = lastSeen;
        this.clock = clock;
        this.fresh = new FreshSnapshot(follower, freshness);
        this.limits = limits;
        this.strangers = strangers;
        this.refusals = refusals;
        this.lists = new ClusterListService(rights);
    }

    /**
     * The parameters of a poll.
     *
     * @param every the poll interval, if the poll names it
     */
    public record Poll(
            PollPath path,
            @Nullable String authorization,
            @Nullable String acceptEncoding,
            String client,
            String address,
            String every,
            ClientCertificates.Shown certificate) {}

    /** The authenticated poller, or why it is unknown. */
    private sealed interface Poller {
        record Known(Caller caller) implements Poller {}

        record Unknown(String reason, String next) implements Poller {}
    }

    public Reply answer(Poll poll, PollPath.Answers asked) {
        Optional<Snapshot> present = fresh.find();
        if (present.isEmpty()) {
            countInQuarantine(poll, asked);
            return unavailable();
        }
        Snapshot snapshot = present.get();
        return switch (poller(poll, snapshot)) {
            case Poller.Known known -> {
                Optional<Reply> limited = limited(known.caller());
                yield limited.isPresent() ? limited.get() : answer(poll, asked, snapshot, known.caller());
            }
            case Poller.Unknown unknown -> unknown(poll, unknown);
        };
    }

    /** The list of clusters, which is made on another thread: {@code then} may be called there. */
    public void list(Poll poll, Map<String, List<String>> query, Consumer<Reply> then) {
        Optional<Snapshot> present = fresh.find();
        if (present.isEmpty()) {
            then.accept(unavailable());
            return;
        }
        switch (poller(poll, present.get())) {
            case Poller.Known known -> list(poll, known.caller(), query, then);
            case Poller.Unknown unknown -> then.accept(unknown(poll, unknown));
        }
    }

    private void list(Poll poll, Caller caller, Map<String, List<String>> query, Consumer<Reply> then) {
        Optional<Reply> refused = limited(caller);
        if (refused.isEmpty() && caller.access() == Caller.Access.CLUSTER) {
            refused = Optional.of(ProblemReply.of(
                    ErrorCode.FORBIDDEN,
                    "a cluster's token reads that cluster's answers alone",
                    "use a token that may read the fleet",
                    ""));
        }
        if (refused.isPresent()) {
            if (refused.get().status() == ErrorCode.FORBIDDEN.httpStatus()) {
                denied(poll, caller, PollPath.PREFIX, ErrorCode.FORBIDDEN);
            }
            then.accept(refused.get());
            return;
        }
        lists.answer(caller, bucket(caller), ClusterListQuery.parse(query), fresh::find, this::unavailable, reply -> {
            if (reply.status() == ErrorCode.FORBIDDEN.httpStatus()) {
                denied(poll, caller, PollPath.PREFIX, ErrorCode.FORBIDDEN);
            }
            then.accept(reply.status() == 200 ? reply.with(AGE, Long.toString(fresh.ageMillis())) : reply);
        });
    }

    /** For the audit: an authenticated caller without the right. */
    private void denied(Poll poll, Caller caller, String path, ErrorCode code) {
        refusals.record(new Refusal(
                clock.instant().truncatedTo(ChronoUnit.MICROS),
                "",
                caller.actor().toString(),
                poll.address(),
                "GET",
                Plain.path(path),
                code.httpStatus(),
                code.code(),
                code == ErrorCode.NOT_FOUND ? "there is no such cluster for this token" : "not for this token"));
    }

    private Optional<Reply> limited(Caller caller) {
        if (caller.access() == Caller.Access.CLUSTER && !limits.perToken().take(bucket(caller))) {
            return Optional.of(ProblemReply.of(
                            ErrorCode.TOO_MANY_REQUESTS, "too many polls with this token", "poll less often", "")
                    .with("Retry-After", "1"));
        }
        lastSeen.used(caller.token(), clock.instant());
        return Optional.empty();
    }

    /** A caller without a token has a certificate. */
    private static String bucket(Caller caller) {
        return caller.token().isEmpty() ? caller.actor().toString() : caller.token();
    }

    private Poller poller(Poll poll, Snapshot snapshot) {
        return switch (poll.certificate()) {
            case ClientCertificates.Shown.Nothing _ -> byToken(poll, snapshot);
            case ClientCertificates.Shown.Unusable unusable ->
                new Poller.Unknown(unusable.reason(), "get a certificate that names the cluster, or poll without one");
            case ClientCertificates.Shown.Cluster cluster -> byCertificate(poll, snapshot, cluster.id());
        };
    }

    private Poller byToken(Poll poll, Snapshot snapshot) {
        Optional<Caller> caller = Credentials.token(poll.authorization())
                .flatMap(token -> identification.identify(snapshot, token, clock.instant()));
        return caller.isPresent() ? new Poller.Known(caller.get()) : NO_TOKEN;
    }

    /** A token beside a certificate adds nothing, but it must not contradict. */
    private Poller byCertificate(Poll poll, Snapshot snapshot, String cluster) {
        if (poll.authorization() == null) {
            return new Poller.Known(Caller.ofCluster(cluster));
        }
        Poller holder = byToken(poll, snapshot);
        return holder instanceof Poller.Known known && !known.caller().cluster().equals(Optional.of(cluster))
                ? new Poller.Unknown(
                        "the token is not one of the cluster that the client certificate names",
                        "send that cluster's own token, or none")
                : holder;
    }

    private Reply unknown(Poll poll, Poller.Unknown unknown) {
        if (limits.failedLogins().tooMany(poll.address(), Credentials.token(poll.authorization()))) {
            return ProblemReply.of(
                            ErrorCode.TOO_MANY_REQUESTS, "too many wrong tokens from this address", "wait a minute", "")
                    .with("Retry-After", "60");
        }
        if (poll.path() instanceof PollPath.Answers asked) {
            strangers.note(asked.dns(), poll.address(), "poll with a wrong token", clock.instant());
        }
        return ProblemReply.of(ErrorCode.UNAUTHENTICATED, unknown.reason(), unknown.next(), "")
                .with("WWW-Authenticate", "Bearer realm=\"homeport\"");
    }

    private Reply answer(Poll poll, PollPath.Answers asked, Snapshot snapshot, Caller caller) {
        Document cluster =
                snapshot.clusterByDns(asked.dns().toLowerCase(Locale.ROOT)).orElse(null);
        TypeDefinition type = snapshot.types().withPlural(asked.plural()).orElse(null);
        boolean witness =
                type == null && asked.shape() == WireShape.SET && asked.plural().equals(Types.WITNESSES);
        if (cluster == null && (type != null || witness) && mayBeUnreadable(snapshot, caller)) {
            return ProblemReply.of(
                    ErrorCode.UNAVAILABLE,
                    "a cluster's document cannot be read, and the name may be that cluster's",
                    "the cluster keeps what it has until the document is restored",
                    "");
        }
        boolean root = asked.shape() == WireShape.SET && asked.plural().equals(TypesAnswer.PLURAL);
        if (cluster == null
                || type == null && !witness
                || type != null && type.part() != TypeDefinition.Part.ITEM && !root
                || !rights.mayPoll(snapshot, caller, cluster)) {
            if (cluster == null || type != null || witness) {
                strangers.note(
                        asked.dns(),
                        poll.address(),
                        cluster == null ? "poll for an unknown name" : "poll with another cluster's token",
                        clock.instant());
            }
            denied(poll, caller, PollPath.PREFIX + "/" + asked.dns() + "/" + asked.plural(), ErrorCode.NOT_FOUND);
            // One body for unknown and foreign names, so that a caller cannot find out which names exist.
            return ProblemReply.of(
                    ErrorCode.NOT_FOUND,
                    "there is no such cluster or type for this token",
                    "check the name in the path and whose token this is",
                    "");
        }
        if (root) {
            return types(poll, asked, snapshot, cluster);
        }
        AnswerBook.Page page =
                type == null ? witnesses.look(snapshot, cluster) : answers.look(snapshot, cluster, type, asked.shape());
        return switch (page) {
            case AnswerBook.Page.Ready ready -> {
                AnswerCache.Entry entry = ready.entry();
                String digest = entry.digest();
                record(poll, cluster, asked, snapshot, 200, digest);
                yield served(entry, digest, snapshot, poll.acceptEncoding());
            }
            case AnswerBook.Page.Hold hold -> held(poll, asked, snapshot, cluster, hold.reason());
            case AnswerBook.Page.Detached _ -> detached(poll, asked, snapshot, cluster);
        };
    }

    /** The name of a cluster that cannot be read is unknown; only the callers that may poll it are certain. */
    private boolean mayBeUnreadable(Snapshot snapshot, Caller caller) {
        boolean[] may = {false};
        snapshot.unreadableClusters()
                .forEach(slot -> may[0] |= rights.mayPoll(snapshot, caller, snapshot.clusterInSlot(slot)));
        return may[0];
    }

    /** Which types there are. Nearly the same for all and asked for rarely, so it is not worth room in the cache. */
    private Reply types(Poll poll, PollPath.Answers asked, Snapshot snapshot, Document cluster) {
        return switch (TypesAnswer.of(snapshot, cluster)) {
            case Answer.Served served -> {
                Rendered rendered = Rendering.render(served, WireShape.SET);
                record(poll, cluster, asked, snapshot, 200, rendered.digest());
                yield new Reply(
                        200,
                        Reply.JSON,
                        rendered.body(),
                        Map.of(
                                "Homeport-Revision",
                                Long.toString(snapshot.revision()),
                                "Homeport-Digest",
                                rendered.digest()));
            }
            case Answer.Hold hold -> held(poll, asked, snapshot, cluster, hold.reason());
            case Answer.Detached _ -> detached(poll, asked, snapshot, cluster);
        };
    }

    private Reply held(Poll poll, PollPath.Answers asked, Snapshot snapshot, Document cluster, String reason) {
        record(poll, cluster, asked, snapshot, 503, "");
        return ProblemReply.of(
                ErrorCode.UNAVAILABLE, reason, "the cluster keeps what it has until this is repaired", "");
    }

    private Reply detached(Poll poll, PollPath.Answers asked, Snapshot snapshot, Document cluster) {
        record(poll, cluster, asked, snapshot, 410, "");
        return ProblemReply.of(ErrorCode.GONE, "this cluster is detached", "remove the providers from the cluster", "");
    }

    private Reply served(AnswerCache.Entry entry, String digest, Snapshot snapshot, @Nullable String acceptEncoding) {
        boolean gzip = acceptEncoding != null && acceptEncoding.contains("gzip");
        String revision = Long.toString(snapshot.revision());
        String age = Long.toString(fresh.ageMillis());
        Map<String, String> headers = gzip
                ? Map.of("Content-Encoding", "gzip", REVISION, revision, DIGEST, digest, AGE, age)
                : Map.of(REVISION, revision, DIGEST, digest, AGE, age);
        return new Reply(200, Reply.JSON, gzip ? entry.gzip() : entry.body(), headers);
    }

    private void record(
            Poll poll, Document cluster, PollPath.Answers asked, Snapshot snapshot, int status, String digest) {
        lastSeen.record(
                cluster.id(),
                asked.plural(),
                new PollSeen(
                        clock.instant(),
                        status,
                        digest,
                        snapshot.revision(),
                        asked.shape() == WireShape.SET ? "set" : "flat",
                        poll.client(),
                        poll.address(),
                        poll.every()));
    }

    /** Has the thread that makes cluster lists asked whether it still runs. */
    public void watch(Loops loops) {
        lists.watch(loops);
    }

    @Override
    public void close() {
        lists.close();
    }

    /** Whether a poll can be answered now; if not, why. */
    public Optional<String> notReady() {
        return fresh.find().isPresent() ? Optional.empty() : Optional.of(fresh.reason());
    }

    /** Callers cannot be authenticated with an untrusted store, so these are counted by the name in the path. */
    private void countInQuarantine(Poll poll, PollPath.Answers asked) {
        if (follower.state() instanceof FollowerState.Quarantined) {
            inQuarantine.increment();
            strangers.note(asked.dns(), poll.address(), Stranger.IN_QUARANTINE, clock.instant());
        }
    }

    /** Polls that were refused in quarantine. */
    public long refusedInQuarantine() {
        return inQuarantine.sum();
    }

    private Reply unavailable() {
        return ProblemReply.of(ErrorCode.UNAVAILABLE, fresh.reason(), "nothing is to be done on the cluster", "");
    }
}
