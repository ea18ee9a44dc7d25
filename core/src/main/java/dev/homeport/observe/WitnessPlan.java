package dev.homeport.observe;

import dev.homeport.fleet.Item;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts questions into sets. What is as wanted shares one set, which costs a cluster one GET for each object and interval;
 * everything else has a set of its own, since a set reports only the first difference.
 *
 * <p>A set sends an event only when it begins to wait, so one whose event was lost, or whose object changed again meanwhile,
 * would be silent forever; and Flux drops an event that equals one of the last five minutes. That is why a set's name is made
 * from what it asks, from the reports that led to it and from the hour: each new question is a new set.
 */
final class WitnessPlan {
    static final String SET_NAME = "homeport-witness-";

    /** After which a report that may have been lost is asked for again. */
    static final Duration SHARED_AGAIN = Duration.ofHours(1);

    static final Duration AGAIN = Duration.ofMinutes(10);

    /** An object that did not exist may appear at any moment, and what could not be read may be readable by then. */
    static final Duration SOON_AGAIN = Duration.ofMinutes(5);

    /** A fleet whose components all change must not make hundreds of objects on each cluster at once. */
    static final int MOST_SINGLE = 40;

    private static final int NAME_LENGTH = 16;
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final String cluster;
    private final Map<String, Witness> known = new LinkedHashMap<>();
    private final Map<String, List<Report>> reports = new LinkedHashMap<>();
    private final Wanted wanted;
    private final String occasion;
    private final String every;
    private final Instant now;
    private final List<Item> items = new ArrayList<>();

    /** @param store differs where the observed store was lost: what was asked before is asked again */
    WitnessPlan(
            String cluster,
            Collection<Witness> known,
            Collection<Report> reports,
            Wanted wanted,
            long store,
            Duration interval,
            Instant now) {
        this.cluster = cluster;
        known.forEach(witness -> this.known.put(witness.id(), witness));
        reports.forEach(report -> {
            about(report.subject()).add(report);
            report.set()
                    .map(WitnessQuestion::setId)
                    .filter(id -> !id.equals(report.subject()))
                    .ifPresent(id -> about(id).add(report));
        });
        this.wanted = wanted;
        Witness unreadable = this.known.remove(Witness.OF_UNREADABLE);
        this.occasion = store + "\n" + (unreadable == null ? 0 : period(cluster, SOON_AGAIN, unreadable.receivedAt()));
        Duration bounded = interval.compareTo(SHORTEST) < 0 ? SHORTEST : interval;
        this.every = (bounded.compareTo(LONGEST) > 0 ? LONGEST : bounded).toSeconds() + "s";
        this.now = now;
    }

    private List<Report> about(String question) {
        return reports.computeIfAbsent(question, id -> new ArrayList<>());
    }

    /** One item for each set. */
    List<Item> items(List<WitnessQuestion> questions) {
        if (questions.isEmpty()) {
            return List.of();
        }
        if (known.isEmpty()) {
            // One that never answered may not be able to: it is asked one thing.
            set(List.of(questions.getFirst()), Map.of(), AGAIN, "");
            return items;
        }
        // What nothing is known of comes first: what stays on a cluster for good must not keep it from being asked.
        Set<WitnessQuestion> singles = questions.stream()
                .filter(question -> question.probe().isEmpty() && !isSettled(question))
                .sorted(Comparator.comparing(this::isKnown).thenComparing(question -> known.containsKey(question.id())))
                .limit(MOST_SINGLE)
                .collect(Collectors.toSet());
        List<WitnessQuestion> shared = new ArrayList<>();
        List<WitnessQuestion> probes = new ArrayList<>();
        for (WitnessQuestion question : questions) {
            if (question.probe().isPresent()) {
                probes.add(question);
            } else if (singles.contains(question)) {
                single(question);
            } else if (isKnown(question)) {
                shared.add(question);
            }
        }
        if (!shared.isEmpty()) {
            set(shared, known, SHARED_AGAIN, shared.stream().map(this::body).collect(Collectors.joining()));
        }
        probes.forEach(question -> probe(question, question.probe().orElseThrow()));
        return items;
    }

    /** Each has a set of its own: an answer that changes again and again must not keep others from being reported. */
    private void probe(WitnessQuestion question, Probe probe) {
        Witness witness = known.get(question.id());
        Optional<ProbeResult> result = witness == null ? Optional.empty() : ProbeResult.of(probe, witness);
        if (witness == null || result.isEmpty()) {
            set(List.of(question), Map.of(), AGAIN, "");
        } else if (witness.isAbsent() || result.get().outcome() == ProbeResult.Outcome.ERROR) {
            set(List.of(question), Map.of(), SOON_AGAIN, "");
        } else {
            set(List.of(question), known, SHARED_AGAIN, witness.body());
        }
    }

    private void single(WitnessQuestion question) {
        Witness witness = known.get(question.id());
        Optional<Report> challenge = witness == null ? Optional.empty() : challenge(question, witness);
        if (challenge.isPresent()) {
            set(List.of(question), Map.of(), AGAIN, challenge.get().body());
        } else if (witness == null) {
            set(List.of(question), Map.of(), AGAIN, "");
        } else if (witness.isAbsent()) {
            boolean facts = question.form() == WitnessQuestion.Form.FACTS;
            set(List.of(question), Map.of(), facts ? AGAIN : SOON_AGAIN, "");
        } else {
            set(List.of(question), known, AGAIN, witness.body());
        }
    }

    private String body(WitnessQuestion question) {
        Witness witness = known.get(question.id());
        return witness == null ? "" : witness.body();
    }

    private boolean isKnown(WitnessQuestion question) {
        Witness witness = known.get(question.id());
        return witness != null
                && !witness.isAbsent()
                && challenge(question, witness).isEmpty();
    }

    /** It is as it should be, and nothing says otherwise. */
    private boolean isSettled(WitnessQuestion question) {
        Witness witness = known.get(question.id());
        if (witness == null || !isKnown(question)) {
            return false;
        }
        if (question.form() != WitnessQuestion.Form.READY) {
            return question.form() == WitnessQuestion.Form.FACTS;
        }
        WitnessedObject seen = witness.seen();
        Wanted.@Nullable Part part =
                question.component().map(id -> wanted.components().get(id)).orElse(null);
        return seen.isReady()
                && (part == null || seen.item().equals(part.digest()) && Revisions.match(seen.revision(), part.tag()));
    }

    /** A later report that does not fit: the cluster is asked to look again, since it may have changed back by then. */
    private Optional<Report> challenge(WitnessQuestion question, Witness witness) {
        boolean ready = witness.seen().isReady();
        return reports.getOrDefault(question.id(), List.of()).stream()
                .filter(report -> report.receivedAt().isAfter(witness.receivedAt()))
                .filter(report -> witness.isAbsent() || ready && report.verdict() == Verdict.FAILED)
                .max(Comparator.comparing(Report::receivedAt).thenComparing(Report::body));
    }

    private void set(List<WitnessQuestion> questions, Map<String, Witness> values, Duration again, String salt) {
        ObjectNode item = StrictJson.object().put("every", every);
        ArrayNode objects = item.putArray("observe");
        for (WitnessQuestion question : questions) {
            Witness witness = values.get(question.id());
            objects.add(object(question, witness == null ? "" : witness.value()));
        }
        item.put(
                "id",
                SET_NAME
                        + digest(CanonicalJson.text(item) + "\n" + salt + "\n" + occasion + "\n"
                                + period(cluster, again, now)));
        items.add(Item.of(item));
    }

    /** Not the same moment for all clusters. */
    static long period(String cluster, Duration length, Instant now) {
        long offset = Math.floorMod(cluster.hashCode(), SHARED_AGAIN.toSeconds());
        return (now.getEpochSecond() + offset) / length.toSeconds();
    }

    private static ObjectNode object(WitnessQuestion question, String known) {
        ObjectNode object = StrictJson.object()
                .put("question", question.id())
                .put("api_version", question.apiVersion())
                .put("kind", question.kind())
                .put("expression", WitnessExpression.of(question, known));
        question.component()
                .ifPresentOrElse(id -> object.put("component", id), () -> object.put("name", question.name()));
        if (!question.namespace().isEmpty()) {
            object.put(
                    "namespace",
                    question.namespace().equals(WitnessQuestion.CLUSTER_SCOPED) ? "" : question.namespace());
        }
        return object;
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, NAME_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
