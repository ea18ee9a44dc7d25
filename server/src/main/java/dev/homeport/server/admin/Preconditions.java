package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.write.Expected;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code If-Match} and {@code If-None-Match}. */
final class Preconditions {
    private static final Pattern TAG = Pattern.compile("\"([0-9]{1,18})-([0-9]{1,18})\"");

    /** No document is at this revision. */
    private static final long NEVER = 0;

    private Preconditions() {}

    /**
     * For writes that replace what they have not looked at: the caller must say what they saw.
     *
     * @param present is asked again when the version is not the one in memory, which may be behind another server's writes
     */
    static Expected required(Call call, Supplier<Optional<Document>> present, Runnable catchUp) {
        return call.header("If-Match")
                .map(header -> expected(header, present, catchUp))
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.PRECONDITION_REQUIRED,
                        "If-Match is missing",
                        "send the ETag of the version that you saw, or * for any"));
    }

    static Expected optional(Call call, Supplier<Optional<Document>> present, Runnable catchUp) {
        return call.header("If-Match")
                .map(header -> expected(header, present, catchUp))
                .orElse(Expected.ANY);
    }

    private static Expected expected(String header, Supplier<Optional<Document>> present, Runnable catchUp) {
        List<String> tags = List.of(header.strip().split("\\s*,\\s*"));
        if (tags.equals(List.of("*"))) {
            return Expected.ANY; // a missing document is reported as not found
        }
        Optional<Expected> inMemory = matching(tags, present.get());
        if (inMemory.isPresent()) {
            return inMemory.get();
        }
        catchUp.run();
        Optional<Document> newest = present.get();
        if (newest.isEmpty()) {
            return new Expected.Revision(NEVER); // refused as not found, unless it is made meanwhile
        }
        return matching(tags, newest)
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.STALE,
                        newest.get().key() + " is at " + DocumentJson.etag(newest.get())
                                + ", which is not the version you saw",
                        "get it again, look at the difference, and repeat your change",
                        List.of(Long.toString(newest.get().updated().revision()))));
    }

    private static Optional<Expected> matching(List<String> tags, Optional<Document> present) {
        String now = present.map(DocumentJson::etag).orElse("");
        return tags.stream()
                .filter(now::equals)
                .map(TAG::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .map(form -> new Expected.Revision(Long.parseLong(form.group(2))));
    }

    /** True when the reader has this version already; a proxy that compresses says W/ before our tag. */
    static boolean notModified(Call call, Document document) {
        String header = call.header("If-None-Match").orElse("");
        String now = DocumentJson.etag(document);
        return Stream.of(header.strip().split("\\s*,\\s*"))
                .anyMatch(tag -> tag.equals("*") || tag.equals(now) || tag.equals("W/" + now));
    }

    /** True when the caller wants the write only if nothing is there. */
    static boolean onlyIfAbsent(Call call) {
        return call.header("If-None-Match").map(String::strip).orElse("").equals("*");
    }
}
