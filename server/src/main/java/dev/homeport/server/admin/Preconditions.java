package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.write.Expected;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code If-Match} and {@code If-None-Match}. */
final class Preconditions {
    private static final Pattern TAG = Pattern.compile("\"([0-9]{1,18})-([0-9]{1,18})\"");

    private Preconditions() {}

    /** For writes that replace what they have not looked at: the caller must say what he saw. */
    static Expected required(Call call, Optional<Document> present) {
        return call.header("If-Match")
                .map(header -> expected(header, present))
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.PRECONDITION_REQUIRED,
                        "If-Match is missing",
                        "send the ETag of the version that you saw, or * for any"));
    }

    static Expected optional(Call call, Optional<Document> present) {
        return call.header("If-Match").map(header -> expected(header, present)).orElse(Expected.ANY);
    }

    private static Expected expected(String header, Optional<Document> present) {
        List<String> tags = List.of(header.strip().split("\\s*,\\s*"));
        if (tags.equals(List.of("*")) || present.isEmpty()) {
            return Expected.ANY; // what is not there is refused as not found
        }
        String now = DocumentJson.etag(present.get());
        for (String tag : tags) {
            Matcher form = TAG.matcher(tag);
            if (tag.equals(now) && form.matches()) {
                return new Expected.Revision(Long.parseLong(form.group(2)));
            }
        }
        throw ProblemException.refused(
                ErrorCode.STALE,
                present.get().key() + " is at " + now + ", which is not the version you saw",
                "get it again, look at the difference, and repeat your change",
                List.of(Long.toString(present.get().updated().revision())));
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
