package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.fleet.FleetView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a cluster answered to a probe.
 *
 * @param answer the text or number, why it could not be evaluated, or empty
 * @param at when the cluster looked; nothing while it has not answered
 */
public record ProbeResult(Probe probe, Outcome outcome, String answer, Optional<Instant> at) {
    static final String QUESTION = "probe/";

    /** Marks the value of a witness whose expression failed; base64 never begins with it. */
    static final String ERROR = "!";

    private static final int FIELDS = 4;
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    /** What came of it. */
    public enum Outcome {
        PASSED,
        FAILED,
        /** The expression has a text or a number. */
        ANSWERED,
        /** The expression could not be evaluated. */
        ERROR,
        /** The cluster has not answered yet. */
        PENDING;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether the result needs attention. */
        public boolean isBad() {
            return this == FAILED || this == ERROR;
        }
    }

    /** Of all probes that the cluster is asked, ordered by id; none while clusters are not asked at all. */
    public static List<ProbeResult> ofAsked(FleetView view, Document cluster, Collection<Witness> witnesses) {
        if (!WitnessAnswer.areAsked(view)) {
            return List.of();
        }
        return Probe.of(view, cluster).stream()
                .map(probe -> of(probe, cluster, witnesses))
                .toList();
    }

    /** Of one probe, if the cluster is asked it. */
    public static Optional<ProbeResult> ofAsked(
            FleetView view, Document cluster, String probe, Collection<Witness> witnesses) {
        return WitnessAnswer.areAsked(view)
                ? Probe.of(view, cluster, probe).map(asked -> of(asked, cluster, witnesses))
                : Optional.empty();
    }

    private static ProbeResult of(Probe probe, Document cluster, Collection<Witness> witnesses) {
        return witnesses.stream()
                .filter(witness -> witness.id().equals(QUESTION + probe.id()))
                .filter(witness ->
                        !witness.receivedAt().isBefore(cluster.created().at()))
                .findFirst()
                .flatMap(witness -> of(probe, witness))
                .orElseGet(() -> new ProbeResult(probe, Outcome.PENDING, "", Optional.empty()));
    }

    /** Nothing for an answer to an earlier version of the question. */
    static Optional<ProbeResult> of(Probe probe, Witness witness) {
        Optional<Instant> at = Optional.of(witness.at());
        boolean lately = !witness.receivedAt().isBefore(probe.since());
        if (witness.isAbsent()) {
            return lately
                    ? Optional.of(new ProbeResult(
                            probe,
                            probe.passesAbsent() ? Outcome.PASSED : Outcome.FAILED,
                            "the object does not exist",
                            at))
                    : Optional.empty();
        }
        if (witness.value().startsWith(ERROR)) {
            return lately
                    ? decoded(witness.value().substring(ERROR.length()))
                            .map(text -> new ProbeResult(probe, Outcome.ERROR, plain(text), at))
                    : Optional.empty();
        }
        return decoded(witness.value())
                .map(text -> text.split("\n", FIELDS))
                .filter(fields -> fields.length == FIELDS && fields[1].equals(probe.digest()))
                .map(fields -> fields[2].equals("bool")
                        ? new ProbeResult(probe, fields[3].equals("true") ? Outcome.PASSED : Outcome.FAILED, "", at)
                        : new ProbeResult(probe, Outcome.ANSWERED, plain(fields[3]), at));
    }

    static String error(String text) {
        return ERROR + Base64.getEncoder().encodeToString(plain(text).getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<String> decoded(String value) {
        try {
            return Optional.of(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** It goes to terminals and pages. */
    private static String plain(String text) {
        return UNFIT.matcher(text).replaceAll(" ");
    }
}
