package dev.homeport.observe;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * An object on a cluster as {@link WitnessExpression} describes it. Every field may be empty.
 *
 * @param kind as in its manifest
 * @param ready status of its Ready condition
 * @param reason of its Ready condition
 * @param revision artifact or chart version that was attempted last
 * @param config digest of the values that were attempted last, for a HelmRelease
 * @param item digest of the item that it was made from, as its annotation says
 * @param deletion that it is being deleted, and its finalizers, once its deletion was requested
 * @param prune the annotation that keeps Flux from deleting it
 */
public record WitnessedObject(
        String kind,
        String ready,
        String reason,
        String revision,
        String config,
        String item,
        String deletion,
        String prune) {

    static final WitnessedObject NOTHING = new WitnessedObject("", "", "", "", "", "", "", "");

    private static final String DELETING = "deleting";
    private static final int FEWEST = 4;
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cs}\uFFFE\uFFFF]");

    /** Nothing for a value that is not from an expression of ours. */
    static WitnessedObject read(String value) {
        return parse(value).orElse(NOTHING);
    }

    static Optional<WitnessedObject> parse(String value) {
        try {
            String text = new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
            String[] fields = text.split("\n", -1);
            if (fields.length < FEWEST) {
                return Optional.empty();
            }
            // A value that was too long is cut, so the last fields may be missing.
            IntFunction<String> field =
                    i -> i < fields.length ? UNFIT.matcher(fields[i]).replaceAll("\uFFFD") : "";
            return Optional.of(new WitnessedObject(
                    field.apply(0),
                    field.apply(1),
                    field.apply(2),
                    field.apply(3),
                    field.apply(4),
                    field.apply(5),
                    field.apply(6),
                    field.apply(7)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public boolean isReady() {
        return ready.equals("True");
    }

    /** Its deletion was requested; {@link #finalizers} keep it. */
    public boolean isDeleting() {
        return deletion.startsWith(DELETING);
    }

    public List<String> finalizers() {
        String names = isDeleting() ? deletion.substring(DELETING.length()).strip() : "";
        return names.isEmpty() ? List.of() : List.of(names.split(" ", -1));
    }

    /** Flux leaves it where it is although it is no longer asked for. */
    public boolean isKept() {
        return prune.equals("disabled");
    }
}
