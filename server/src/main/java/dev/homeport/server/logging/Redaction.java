package dev.homeport.server.logging;

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes secrets out of a text: our tokens, signed ones of others, what stands in an Authorization header, and texts that are known to be secret. */
final class Redaction {
    static final String MARK = "(redacted)";

    private static final int SHORTEST_SECRET = 4;
    private static final Pattern TOKEN = Pattern.compile("(hp[cjpse]_[A-Za-z0-9]{1,64}_)[0-9A-Za-z]+");
    private static final Pattern SIGNED = Pattern.compile("(eyJ[A-Za-z0-9_-]+\\.)[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    private static final Pattern HEADER =
            Pattern.compile("(?i)(authorization[\"\\\\']*\\s*[:=]\\s*[\"\\\\']*)[^\"\\\\',;\\r\\n]+");
    private static final Pattern SCHEME = Pattern.compile("(?i)\\b(bearer|basic)(\\s+)[A-Za-z0-9+/._~=-]{6,}");

    private final List<String> known;

    /** @param known secrets from the settings, in full */
    Redaction(Collection<String> known) {
        this.known = known.stream()
                .filter(secret -> secret.length() >= SHORTEST_SECRET)
                .toList();
    }

    String of(String text) {
        String clean = text;
        for (String secret : known) {
            clean = clean.replace(secret, MARK);
        }
        clean = TOKEN.matcher(clean).replaceAll("$1" + Matcher.quoteReplacement(MARK));
        clean = SIGNED.matcher(clean).replaceAll("$1" + Matcher.quoteReplacement(MARK));
        clean = HEADER.matcher(clean).replaceAll("$1" + Matcher.quoteReplacement(MARK));
        return SCHEME.matcher(clean).replaceAll("$1$2" + Matcher.quoteReplacement(MARK));
    }
}
