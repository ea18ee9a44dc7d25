package dev.homeport.server.state;

import dev.homeport.access.AccessKeys;
import dev.homeport.access.StoredToken;
import dev.homeport.access.TokenLife;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.Expiries;
import dev.homeport.fleet.Tiers;
import dev.homeport.observe.ClusterState;
import dev.homeport.observe.Observations;
import dev.homeport.observe.PollInterval;
import dev.homeport.observe.Probe;
import dev.homeport.observe.ProbeResult;
import dev.homeport.observe.RemovalReview;
import dev.homeport.observe.Source;
import dev.homeport.observe.Stranger;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.audit.AuditForwarder;
import dev.homeport.server.audit.AuditService;
import dev.homeport.server.config.Address;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.poll.Addresses;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.state.Finding.Kind;
import dev.homeport.server.state.Finding.Severity;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All problems that need attention, computed from the snapshot and from what was observed. Nothing of it is stored. */
public final class Findings {
    private static final double NEARLY_FULL = 0.8;
    private static final Duration SOON = Duration.ofDays(14);
    private static final Duration REMOVING = Duration.ofMinutes(1);
    private static final Duration DRAINING = Duration.ofMinutes(1);
    private static final int MOST_NAMED = 5;
    private static final Duration LATELY = Duration.ofHours(1);
    private static final Duration STRANGERS_SHOWN = Duration.ofHours(24);
    private static final int MOST_STRANGERS = 1_000;

    private final StateBoard board;
    private final LastSeen lastSeen;
    private final Supplier<Observations> observations;
    private final ServerSettings settings;
    private final ConnectionLimits connections;
    private final Loops loops;
    private final AuditService audit;

    public Findings(
            StateBoard board,
            LastSeen lastSeen,
            Supplier<Observations> observations,
            ServerSettings settings,
            ConnectionLimits connections,
            Loops loops,
            AuditService audit) {
        this.board = board;
        this.lastSeen = lastSeen;
        this.observations = observations;
        this.settings = settings;
        this.connections = connections;
        this.loops = loops;
        this.audit = audit;
    }

    /** All of them, ordered by kind and subject. */
    public List<Finding> of(Snapshot snapshot, Instant now) {
        List<Finding> all = new ArrayList<>();
        WorkBudget budget = WorkBudget.current();
        for (Standing standing : board.all()) {
            budget.spend(WorkBudget.LOOK);
            ofCluster(standing, now, all);
        }
        all.addAll(VersionFindings.of(board.all()));
        addresses(now, all);
        tokens(snapshot, now, all);
        strangers(now, all);
        broken(snapshot, all);
        debts(snapshot, now, all);
        oldTokens(snapshot, now, all);
        reused(snapshot, all);
        all.addAll(new ConnectionFindings(connections).of(now));
        all.addAll(new LoopFindings(loops).of(now));
        audit(all);
        all.sort(Comparator.comparing(Finding::key));
        return all;
    }

    private void audit(List<Finding> all) {
        for (AuditForwarder forwarder : audit.forwarders()) {
            forwarder
                    .failing()
                    .ifPresent(failing -> all.add(new Finding(
                            Kind.AUDIT_NOT_FORWARDED,
                            Severity.ERROR,
                            "",
                            forwarder.name(),
                            failing.since(),
                            "audit lines cannot be forwarded to the " + forwarder.name() + ": " + failing.why(),
                            "repair it; commits are sent later, and of other events at most the last 10,000")));
        }
    }

    private static void ofCluster(Standing standing, Instant now, List<Finding> all) {
        switch (standing.state()) {
            case FAILING ->
                add(
                        all,
                        Kind.FAILING,
                        Severity.ERROR,
                        standing,
                        standing.since(),
                        String.valueOf(standing.failure()),
                        "see the cluster's delivery, then repair what it runs or revert the change");
            case SILENT ->
                add(
                        all,
                        Kind.SILENT,
                        Severity.WARNING,
                        standing,
                        standing.since(),
                        "stopped polling (was every " + words(standing.interval()) + ")",
                        "check that the cluster runs, and that its Flux Operator reaches this server");
            case LEAVING -> {
                if (standing.drained()) {
                    add(
                            all,
                            Kind.DRAINED,
                            Severity.INFO,
                            standing,
                            standing.since(),
                            "everything is reported as removed",
                            "purge it");
                } else {
                    add(
                            all,
                            Kind.NOT_DRAINED,
                            standing.since().plus(DRAINING).isBefore(now) ? Severity.WARNING : Severity.INFO,
                            standing,
                            standing.since(),
                            named(standing.left()),
                            "remove what is named on the cluster, or wait for its polls and reports; 'homeport purge --force' forgets the"
                                    + " cluster and leaves what is on it");
                }
            }
            default -> {}
        }
        if (standing.hold() != null) {
            add(
                    all,
                    Kind.HELD,
                    Severity.ERROR,
                    standing,
                    standing.since(),
                    standing.hold(),
                    "repair that; until then the cluster keeps what it has");
        }
        removals(standing, now, all);
        probes(standing, all);
        late(
                standing,
                standing.behindSince(),
                Kind.BEHIND,
                "has not fetched its latest desired state",
                "wait for its next poll; if it polls and stays behind, look at its provider",
                now,
                all);
        late(
                standing,
                standing.unconfirmedSince(),
                Kind.NOT_APPLIED,
                standing.reporting() ? "delivered, not reported healthy yet" : "delivered, and it reports nothing",
                standing.reporting()
                        ? "see the cluster's delivery for the components that are missing"
                        : "set up its notification provider and alerts",
                now,
                all);
        if (!standing.notReporting().isEmpty()
                && isServed(standing)
                && (standing.reporting() || standing.unconfirmedSince() == null)) {
            add(
                    all,
                    Kind.NOT_REPORTING,
                    Severity.INFO,
                    standing,
                    standing.since(),
                    "its ResourceSets send no events: a failure of " + String.join(", ", standing.notReporting())
                            + " would not be seen here",
                    "install its Flux with a FluxInstance, or apply new manifests of 'homeport bootstrap "
                            + standing.cluster() + "' if it has one");
        }
        if (standing.fullness() >= NEARLY_FULL) {
            add(
                    all,
                    Kind.NEAR_LIMIT,
                    Severity.WARNING,
                    standing,
                    now,
                    "an answer uses " + Math.round(standing.fullness() * 100) + " % of what Flux can take",
                    "raise input_limit together with the provider's filter.limit, or split what it runs");
        }
    }

    private static void removals(Standing standing, Instant now, List<Finding> all) {
        for (RemovalReview removal : standing.removals()) {
            Instant since = removal.fetchedAt().orElse(now);
            if (removal.state() == RemovalReview.State.REMOVING
                    && standing.state() != ClusterState.SILENT
                    && since.plus(REMOVING).isBefore(now)) {
                all.add(new Finding(
                                Kind.REMOVING,
                                Severity.WARNING,
                                standing.cluster(),
                                standing.cluster() + "/" + removal.item().plural() + "/"
                                        + removal.item().id(),
                                since,
                                removal.item().plural() + "/" + removal.item().id() + " is not removed yet: "
                                        + removal.reason(),
                                "look at the object on the cluster; what its finalizers wait for has to be repaired there")
                        .from(removal.source()));
            }
        }
    }

    private static void probes(Standing standing, List<Finding> all) {
        if (!isServed(standing)) {
            return; // what it answered is old
        }
        for (ProbeResult result : standing.badProbes()) {
            Probe probe = result.probe();
            String why = result.answer().isEmpty() ? "the expression is false" : result.answer();
            all.add(new Finding(
                            Kind.PROBE_FAILED,
                            Severity.valueOf(probe.severity().toUpperCase(Locale.ROOT)),
                            standing.cluster(),
                            standing.cluster() + "/" + probe.id(),
                            result.at().orElse(standing.since()),
                            (probe.title().isEmpty() ? "probe " + probe.id() : probe.title()) + ": "
                                    + result.outcome().word() + " on " + probe.kind() + " " + probe.name() + ": " + why,
                            "look at the object on the cluster; 'homeport probe " + probe.id()
                                    + "' shows the answers of all clusters")
                    .from(Source.WITNESS));
        }
    }

    static boolean isServed(Standing standing) {
        return switch (standing.state()) {
            case FAILING, APPLYING, REMOVING, PENDING, IN_SYNC -> true;
            default -> false;
        };
    }

    /** For a while it is only natural. */
    private static void late(
            Standing standing,
            @Nullable Instant since,
            Kind kind,
            String detail,
            String next,
            Instant now,
            List<Finding> all) {
        boolean here = isServed(standing) || standing.state() == ClusterState.SILENT;
        if (since != null && here && standing.state() != ClusterState.IN_SYNC) {
            boolean old = since.plus(PollInterval.silence(standing.interval())).isBefore(now);
            add(all, kind, old ? Severity.WARNING : Severity.INFO, standing, since, detail, next);
        }
    }

    private void addresses(Instant now, List<Finding> all) {
        for (Map.Entry<String, Addresses> entry : lastSeen.addresses().entrySet()) {
            List<String> lately = entry.getValue().lastAt().entrySet().stream()
                    .filter(one -> one.getValue().plus(LATELY).isAfter(now))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            if (lately.size() > 1
                    && entry.getValue().returns() > 0
                    && board.stateOf(entry.getKey()).isPresent()) {
                all.add(new Finding(
                        Kind.TWO_ADDRESSES,
                        Severity.WARNING,
                        entry.getKey(),
                        entry.getKey(),
                        entry.getValue().lastAt().values().stream()
                                .min(Comparator.naturalOrder())
                                .orElse(now),
                        "token is used from several addresses: " + String.join(", ", lately),
                        "if these are not one network, another cluster has a copy of the token: rotate it"));
            }
        }
    }

    private static void tokens(Snapshot snapshot, Instant now, List<Finding> all) {
        String end = Expiries.sortable(now.plus(SOON));
        for (Map.Entry<String, DocumentKey> expiry : snapshot.expiries()) {
            if (expiry.getKey().compareTo(end) > 0) {
                return;
            }
            Optional<Document> token = snapshot.find(expiry.getValue())
                    .filter(document -> document.type().equals(Types.TOKEN)
                            && document.fault().isEmpty());
            if (token.isEmpty() || StoredToken.of(token.get()).revoked()) {
                continue;
            }
            StoredToken stored = StoredToken.of(token.get());
            if (stored.kind().equals("join")) {
                continue; // those are made to expire
            }
            boolean ofCluster = stored.kind().equals("cluster");
            all.add(new Finding(
                    Kind.TOKEN_EXPIRES,
                    Severity.WARNING,
                    ofCluster ? stored.subject() : "",
                    token.get().id(),
                    now,
                    "the token of " + stored.kind() + " " + stored.subject() + " expires at " + stored.expiresAt(),
                    ofCluster ? "make a new one and put it into the cluster's secret" : "make a new one"));
        }
    }

    private static void reused(Snapshot snapshot, List<Finding> all) {
        for (DocumentKey key : snapshot.users(AccessKeys.REUSED_JOIN_TOKENS)) {
            snapshot.find(key)
                    .ifPresent(token -> all.add(new Finding(
                            Kind.JOIN_TOKEN_REUSED,
                            Severity.ERROR,
                            StoredToken.of(token).subject(),
                            token.id(),
                            token.updated().at(),
                            "the join token was used a second time, so what the first use got is suspended",
                            "find out who used it, then make a new join token and delete this one")));
        }
    }

    private void strangers(Instant now, List<Finding> all) {
        try {
            for (Stranger stranger : observations.get().strangersSince(now.minus(STRANGERS_SHOWN), MOST_STRANGERS)) {
                if (stranger.why().equals(Stranger.IN_QUARANTINE)) {
                    continue; // `homeport admin status` counts these
                }
                if (stranger.why().equals(Stranger.UNKNOWN_ANSWER)) {
                    all.add(unknownAnswer(stranger));
                    continue;
                }
                all.add(new Finding(
                        Kind.STRANGER,
                        Severity.WARNING,
                        "",
                        stranger.name() + "@" + stranger.address() + "/" + stranger.why(),
                        stranger.firstAt(),
                        stranger.why() + ": " + stranger.name() + " from " + stranger.address() + ", "
                                + stranger.count() + " times, last at " + stranger.lastAt(),
                        "if it is a cluster of yours, give it its token and keys; otherwise find out who asks"));
            }
        } catch (RuntimeException e) {
            all.add(new Finding(
                    Kind.OBSERVED_STORE,
                    Severity.ERROR,
                    "",
                    "observed",
                    now,
                    "what was observed can neither be saved nor read",
                    "look at the store of observed state; polls and writes go on meanwhile"));
        }
    }

    private static Finding unknownAnswer(Stranger cluster) {
        return new Finding(
                        Kind.UNKNOWN_ANSWER,
                        Severity.WARNING,
                        cluster.name(),
                        cluster.name(),
                        cluster.firstAt(),
                        "it reports that it acts on an answer that this store has not given, " + cluster.count()
                                + " times, last at " + cluster.lastAt(),
                        "if the store was restored or its folder replaced by an older copy, compare it with what you expect;"
                                + " otherwise find out who else answers this cluster")
                .from(Source.EVENT);
    }

    private static void broken(Snapshot snapshot, List<Finding> all) {
        WorkBudget budget = WorkBudget.current();
        for (TypeDefinition type : snapshot.types().all()) {
            for (Document document : snapshot.all(type.name()).values()) {
                budget.check();
                document.fault()
                        .ifPresent(fault -> all.add(new Finding(
                                Kind.BROKEN_DOCUMENT,
                                Severity.ERROR,
                                type.part() == TypeDefinition.Part.CLUSTER ? document.id() : "",
                                document.key().toString(),
                                document.updated().at(),
                                fault,
                                "replace the document whole, or restore it from an earlier revision")));
            }
        }
    }

    private void debts(Snapshot snapshot, Instant now, List<Finding> all) {
        snapshot.clustersWithoutOwner().forEach(slot -> {
            Document cluster = snapshot.clusterInSlot(slot);
            all.add(new Finding(
                    Kind.DEBT_NO_OWNER,
                    Severity.INFO,
                    cluster.id(),
                    cluster.id(),
                    cluster.created().at(),
                    "has no owner",
                    "set owner"));
        });
        Tiers tiers = new Tiers(snapshot.all(Types.ENVIRONMENT).values());
        snapshot.clustersWith("environments/" + tiers.last()).forEach(slot -> {
            Document document = snapshot.clusterInSlot(slot);
            Cluster cluster = Cluster.of(document);
            if (Boolean.FALSE.equals(cluster.protectedFlag())) {
                all.add(new Finding(
                        Kind.DEBT_UNPROTECTED,
                        Severity.INFO,
                        cluster.id(),
                        cluster.id(),
                        document.updated().at(),
                        "production cluster without protection",
                        "set protected, once nothing writes it through the root paths"));
            }
        });
        settings.compatReadToken().ifPresent(token -> all.add(compat("AUTH_TOKEN", "reads every cluster", now)));
        settings.compatWriteToken().ifPresent(token -> all.add(compat("CRUD_AUTH_TOKEN", "writes every cluster", now)));
        Storage.weakness(settings)
                .ifPresent(weakness -> all.add(new Finding(
                        Kind.DEBT_UNVERIFIED_DATABASE,
                        Severity.WARNING,
                        "",
                        "database",
                        now,
                        weakness,
                        "set sslmode=verify-full in database_url, with sslrootcert for a CA of your own")));
        if (settings.tls().isEmpty()) {
            Stream.concat(settings.pollListen().stream(), settings.adminListen().stream())
                    .filter(address -> !address.isLoopback())
                    .map(Address::host)
                    .distinct()
                    .forEach(host -> all.add(new Finding(
                            Kind.DEBT_PLAIN_HTTP,
                            Severity.WARNING,
                            "",
                            host,
                            now,
                            "tokens travel over plain HTTP on " + host,
                            "set a certificate, or put a proxy with one in front")));
        }
    }

    /** Tokens of earlier releases, which made them without limits and often without an end. */
    private static void oldTokens(Snapshot snapshot, Instant now, List<Finding> all) {
        WorkBudget budget = WorkBudget.current();
        for (Document document : snapshot.all(Types.TOKEN).values()) {
            budget.check();
            if (document.fault().isPresent()) {
                continue; // it does not work, and is a finding of its own
            }
            StoredToken token = StoredToken.of(document);
            boolean old = token.madeBy().isEmpty() && token.limits().isUnlimited();
            // A cluster's token reads that cluster's answers alone.
            if (old && !token.kind().equals("cluster") && TokenLife.isLive(snapshot, document, now)) {
                all.add(new Finding(
                        Kind.DEBT_OLD_TOKEN,
                        token.expiresAt() == null ? Severity.WARNING : Severity.INFO,
                        "",
                        document.id(),
                        document.created().at(),
                        "the token of " + token.kind() + " " + token.subject() + " was made by an earlier release: it"
                                + " is not limited to the rights of its maker"
                                + (token.expiresAt() == null ? ", and does not expire" : ""),
                        "make a new token with expires_at, change its users to it, then delete this one"));
            }
        }
    }

    private static Finding compat(String name, String does, Instant now) {
        return new Finding(
                Kind.DEBT_COMPAT_TOKEN,
                Severity.INFO,
                "",
                name,
                now,
                "one shared token " + does,
                "give each cluster and each writer a token of its own, then unset " + name);
    }

    private static void add(
            List<Finding> all,
            Kind kind,
            Severity severity,
            Standing standing,
            Instant since,
            String detail,
            String next) {
        Finding finding = new Finding(kind, severity, standing.cluster(), standing.cluster(), since, detail, next);
        all.add(
                switch (kind) {
                    case FAILING, DRAINED, NOT_DRAINED -> finding.from(standing.source());
                    case SILENT, BEHIND, NOT_APPLIED, NOT_REPORTING -> finding.from(Source.POLL);
                    default -> finding;
                });
    }

    private static String named(List<String> left) {
        return String.join("; ", left.subList(0, Math.min(left.size(), MOST_NAMED)))
                + (left.size() > MOST_NAMED ? "; and " + (left.size() - MOST_NAMED) + " more" : "");
    }

    private static String words(Duration time) {
        return time.compareTo(Duration.ofMinutes(2)) < 0 ? time.toSeconds() + " s" : time.toMinutes() + " min";
    }
}
