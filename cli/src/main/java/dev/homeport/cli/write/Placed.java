package dev.homeport.cli.write;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reports errors at their place in the user's files instead of in the request. */
public final class Placed {
    private static final Pattern OPERATION = Pattern.compile("/operations/([0-9]{1,6})(.*)", Pattern.DOTALL);

    private Placed() {}

    public static int at(List<DocumentFiles.Entry> entries, IntSupplier write) {
        return inPlaces(entries.stream().map(DocumentFiles.Entry::place).toList(), write);
    }

    /** @param places for each operation, where it comes from */
    public static int inPlaces(List<String> places, IntSupplier write) {
        try {
            return write.getAsInt();
        } catch (ApiProblem e) {
            if (e.code() != ErrorCode.INVALID && e.violations().isEmpty()) {
                throw e;
            }
            throw e.renamed(pointer -> {
                Matcher operation = OPERATION.matcher(pointer);
                int number = operation.matches() ? Integer.parseInt(operation.group(1)) : Integer.MAX_VALUE;
                return number < places.size() ? places.get(number) + " " + operation.group(2) : pointer;
            });
        }
    }
}
