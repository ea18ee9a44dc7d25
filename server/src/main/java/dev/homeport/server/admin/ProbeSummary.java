package dev.homeport.server.admin;

import dev.homeport.observe.ProbeResult;
import dev.homeport.observe.ProbeResult.Outcome;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What all clusters answered to one probe, summed up. What a silent cluster answered is old, so it is only counted as silent. */
final class ProbeSummary {
    static final int MOST_ANSWERS = 20;

    /** As CEL prints numbers, and short enough to be added up exactly. */
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?");

    private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    private final Map<String, Integer> answers = new HashMap<>();
    private final List<BigDecimal> numbers = new ArrayList<>();
    private int silent;

    void addSilent() {
        silent++;
    }

    void add(ProbeResult result) {
        counts.merge(result.outcome(), 1, Integer::sum);
        if (result.outcome() == Outcome.ANSWERED) {
            answers.merge(result.answer(), 1, Integer::sum);
            if (NUMBER.matcher(result.answer()).matches()) {
                numbers.add(new BigDecimal(result.answer()));
            }
        }
    }

    void print(ObjectNode body) {
        ObjectNode counted = body.putObject("counts");
        counts.forEach((outcome, count) -> counted.put(outcome.word(), count));
        body.put("silent", silent);
        if (!numbers.isEmpty()) {
            ObjectNode sums = body.putObject("numbers").put("clusters", numbers.size());
            put(sums, "sum", numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add));
            put(sums, "min", numbers.stream().min(Comparator.naturalOrder()).orElseThrow());
            put(sums, "max", numbers.stream().max(Comparator.naturalOrder()).orElseThrow());
        }
        if (!answers.isEmpty()) {
            ArrayNode listed = body.putArray("answers");
            answers.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST_ANSWERS)
                    .forEach(entry ->
                            listed.addObject().put("answer", entry.getKey()).put("clusters", entry.getValue()));
            if (answers.size() > MOST_ANSWERS) {
                body.put("more_answers", answers.size() - MOST_ANSWERS);
            }
        }
    }

    /** A whole number as such, also when a cluster wrote it as 1e+07. */
    private static void put(ObjectNode sums, String name, BigDecimal number) {
        BigDecimal plain = number.stripTrailingZeros();
        sums.put(name, plain.scale() < 0 ? plain.setScale(0) : plain);
    }
}
