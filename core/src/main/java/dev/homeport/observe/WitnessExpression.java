package dev.homeport.observe;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The CEL expressions with which a cluster's sets look at objects. One is true while the object is as Homeport knows it. When
 * the object differs, it looks up a key that does not exist: the error, which Flux Operator sends as an event, ends with
 * that key. Values travel as base64, so that nothing in them has to be quoted, and nothing in them looks like the end of a key.
 */
public final class WitnessExpression {
    /** The annotation with the digest of the item that an object was made from. */
    public static final String ITEM_DIGEST = "event.toolkit.fluxcd.io/item_digest";

    static final int LONGEST_VALUE = 6_000;

    private static final String MARK = "hw1";
    private static final int LONGEST_TEXT = 1_000;

    /** Of a probe, with what stands before it. */
    private static final int LONGEST_ANSWER = 300;

    private static final int LONGEST_ERROR = 200;
    private static final Pattern DIFFERENT =
            Pattern.compile("no such key: " + MARK + " (\\S{1,200}) ([A-Za-z0-9+/=]{0," + LONGEST_VALUE + "})(?!\\S)");
    /** The operator says "not found" of every error; only the API server's own message means that the object does not exist. */
    private static final Pattern ABSENT = Pattern.compile(
            "dependency \\S+/([A-Z][A-Za-z0-9]*)/(?:[^/\\s]*/)?([^/\\s]+) not found: [a-z0-9.-]+ \"[^\"]*\" not found\\s*$");

    private static final String READY = "status.conditions.filter(c, c.type == 'Ready')";

    /** While a controller is at work, or has not looked at the newest spec yet, there is nothing to say. */
    private static final String AT_WORK = "!has(status.conditions) || !status.conditions.exists(c, c.type == 'Ready'"
            + " && c.status != 'Unknown'"
            + " && (!has(c.observedGeneration) || c.observedGeneration == metadata.generation))";

    private static final String STATUS = "has(status.conditions) ? " + READY + ".map(c, c.status).join(',') : '',"
            + " has(status.conditions) ? " + READY + ".map(c, has(c.reason) ? c.reason : '').join(',') : '',"
            + " " + optional("status", "lastAttemptedRevision") + ","
            + " " + optional("status", "lastAttemptedConfigDigest");

    private static final String METADATA = annotation(ITEM_DIGEST)
            + ", has(metadata.deletionTimestamp)"
            + " ? 'deleting ' + (has(metadata.finalizers) ? metadata.finalizers.join(' ') : '') : '', "
            + annotation("fluxcd.controlplane.io/prune");

    private static final String FACTS = Stream.of(
                    "cluster.serverVersion", "cluster.platform", "distribution.version", "operator.version")
            .map(path -> path.split("[.]", -1))
            .map(path -> "has(spec." + path[0] + ") && " + optional("spec." + path[0], path[1]))
            .collect(Collectors.joining(", "));

    private WitnessExpression() {}

    /** @param known the value that needs no report, empty to have the object reported whatever it is like */
    public static String of(WitnessQuestion question, String known) {
        if (!known.matches("[A-Za-z0-9+/=]*")) {
            throw new IllegalArgumentException("not a value of a witness");
        }
        String value = question.probe()
                        .map(WitnessExpression::of)
                        .orElseGet(() -> "[[kind, " + fields(question.form()) + "].join('\\n')]")
                + ".map(x, size(x) > " + LONGEST_TEXT + " ? x.substring(0, " + LONGEST_TEXT + ") : x)"
                + ".map(x, base64.encode(bytes(x)))";
        String report = "{'': true}['" + MARK + " " + question.id() + " ' + x]";
        String same = known.isEmpty() ? "" : "x == '" + known + "' || ";
        String found = value + ".exists(x, " + same + report + ")";
        return question.form() == WitnessQuestion.Form.READY ? AT_WORK + " || " + found : found;
    }

    private static String fields(WitnessQuestion.Form form) {
        return switch (form) {
            case READY, LEAVING -> STATUS + ", " + METADATA;
            case THERE -> "'', '', '', '', " + METADATA;
            case FACTS -> FACTS;
            case PROBE -> throw new IllegalArgumentException("a probe has an expression of its own");
        };
    }

    /** The answer is worked out once, and before the names that are used here exist. */
    private static String of(Probe probe) {
        return "[(" + probe.expression() + ")].map(v, [kind, '" + probe.digest()
                + "', type(v) == bool ? 'bool' : 'text', type(v) == bool ? (v ? 'true' : 'false') : string(v)].join('\\n'))"
                + ".map(x, size(x) > " + LONGEST_ANSWER + " ? x.substring(0, " + LONGEST_ANSWER + ") : x)";
    }

    /**
     * What an event of a witness's set reports.
     *
     * @param id of the question, {@link Witness#OF_UNREADABLE} if it cannot be read
     */
    public record Reading(String id, String value) {
        static final Reading UNREADABLE = new Reading(Witness.OF_UNREADABLE, Witness.UNREADABLE);
    }

    /** Nothing when the set does not wait, so that there is nothing to learn from it. */
    public static Optional<Reading> read(FluxEvent event) {
        Optional<String> probe = probe(event.meta(FluxEvent.WITNESS));
        boolean invalid = probe.isPresent() && event.reason().equals("InvalidCELExpression");
        if (event.meta(FluxEvent.WITNESS).isEmpty() || !event.reason().equals("DependencyNotReady") && !invalid) {
            return Optional.empty();
        }
        Matcher different = DIFFERENT.matcher(event.message());
        if (different.find()
                && WitnessQuestion.isId(different.group(1))
                // What people write into a probe must not answer for anything else.
                && different.group(1).equals(probe.orElse(different.group(1)))
                && WitnessedObject.parse(different.group(2)).isPresent()) {
            return Optional.of(new Reading(different.group(1), different.group(2)));
        }
        Matcher absent = ABSENT.matcher(event.message());
        if (absent.find()) {
            return Optional.of(absent(event.meta(FluxEvent.WITNESS), absent.group(1) + "/" + absent.group(2)));
        }
        return Optional.of(probe.map(id -> new Reading(id, ProbeResult.error(reason(event.message()))))
                .orElse(Reading.UNREADABLE));
    }

    /** The probe that a set asks for, which asks for nothing else. */
    private static Optional<String> probe(String questions) {
        if (!questions.contains("\"" + ProbeResult.QUESTION)) {
            return Optional.empty();
        }
        try {
            return StrictJson.parseObject(questions.getBytes(StandardCharsets.UTF_8))
                    .valueStream()
                    .map(id -> id.asString(""))
                    .filter(id -> id.startsWith(ProbeResult.QUESTION) && WitnessQuestion.isId(id))
                    .findFirst();
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /** What is behind the expression, which the operator repeats, or behind the name of the object. */
    private static String reason(String message) {
        int wrong = message.indexOf("Syntax error: ");
        if (wrong >= 0) {
            // The operator repeats the expression behind it, too.
            String line = message.substring(wrong).lines().findFirst().orElse("");
            return line.length() > LONGEST_ERROR ? line.substring(0, LONGEST_ERROR) : line;
        }
        int start = 0;
        for (String before : List.of("': ", "not found: ")) {
            int found = message.lastIndexOf(before);
            start = found < 0 ? start : Math.max(start, found + before.length());
        }
        String reason = message.substring(start).strip();
        return reason.length() > LONGEST_ERROR ? reason.substring(0, LONGEST_ERROR) : reason;
    }

    /** The names of objects were chosen on the cluster, so its set says which question each is about. */
    private static Reading absent(String questions, String object) {
        try {
            String id = StrictJson.parseObject(questions.getBytes(StandardCharsets.UTF_8))
                    .path(object)
                    .asString("");
            return WitnessQuestion.isId(id) ? new Reading(id, Witness.ABSENT) : Reading.UNREADABLE;
        } catch (ProblemException e) {
            return Reading.UNREADABLE;
        }
    }

    private static String optional(String object, String field) {
        String path = object + "." + field;
        return "has(" + path + ") ? " + path + " : ''";
    }

    private static String annotation(String name) {
        return "has(metadata.annotations) && '" + name + "' in metadata.annotations ? metadata.annotations['" + name
                + "'] : ''";
    }
}
