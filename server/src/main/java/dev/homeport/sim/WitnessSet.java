package dev.homeport.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A ResourceSet that owns nothing and looks at objects: it is silent while each of them is as Homeport knows it.
 *
 * @param id its name on the cluster
 * @param questions in the order in which Flux Operator evaluates them
 */
record WitnessSet(String id, List<Question> questions) {
    /** The plural of the type. */
    static final String PLURAL = "witnesses";

    private static final String PROBE = "probe/";
    private static final Pattern DIGEST = Pattern.compile("\\.map\\(v, \\[kind, '([0-9a-f]+)'");
    private static final Pattern MARK = Pattern.compile("\\['(\\w+ [^']+) ' \\+ x]");
    private static final Pattern KNOWN = Pattern.compile("x == '([A-Za-z0-9+/=]*)' \\|\\|");

    WitnessSet {
        questions = List.copyOf(questions);
    }

    /**
     * One object.
     *
     * @param id names the question in events
     * @param mark the words before the value in the error of the expression
     * @param component whose object it is, empty for one with a name
     * @param atRest whether nothing is said while a controller is at work on it
     * @param status whether the value has fields of the object's status
     * @param known the value that needs no report
     */
    record Question(
            String id,
            String mark,
            String apiVersion,
            String kind,
            String component,
            String name,
            boolean atRest,
            boolean status,
            String known,
            String expression) {
        /** Whether people ask, and not Homeport itself. */
        boolean isProbe() {
            return id.startsWith(PROBE);
        }

        /** Names the version of a probe that is answered. */
        String digest() {
            Matcher digest = DIGEST.matcher(expression);
            return digest.find() ? digest.group(1) : "";
        }

        /** The object's name, under the names that bootstrap chooses by default. */
        String object() {
            return component.isEmpty() ? name : "c-" + component;
        }
    }

    /** Of an item as the cluster is given it; CEL is not evaluated here, so only Homeport's own expressions are understood. */
    static Optional<WitnessSet> of(JsonNode item) {
        List<Question> questions = new ArrayList<>();
        for (JsonNode object : item.path("observe")) {
            String expression = object.path("expression").asString("");
            Matcher mark = MARK.matcher(expression);
            if (!mark.find()) {
                return Optional.empty();
            }
            Matcher known = KNOWN.matcher(expression);
            questions.add(new Question(
                    object.path("question").asString(""),
                    mark.group(1),
                    object.path("api_version").asString(""),
                    object.path("kind").asString(""),
                    object.path("component").asString(""),
                    object.path("name").asString(""),
                    expression.contains("!= 'Unknown'"),
                    expression.contains("lastAttemptedRevision"),
                    known.find() ? known.group(1) : "",
                    expression));
        }
        return questions.isEmpty()
                ? Optional.empty()
                : Optional.of(new WitnessSet(item.path("id").asString(""), questions));
    }
}
