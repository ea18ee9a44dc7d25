package dev.homeport.server.http;

import java.util.regex.Pattern;

/**
 * Text of a caller as a message may repeat it: short, without control characters, and without the secret of a token that was
 * put in the wrong place.
 */
public final class Plain {
    private static final Pattern TOKEN = Pattern.compile(
            "(hp[cjpse]_[A-Za-z0-9]{1,64}_)[0-9A-Za-z]+|(eyJ[A-Za-z0-9_-]+\\.)[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    private static final int LONGEST = 60;
    private static final int LONGEST_PATH = 400;

    private Plain() {}

    public static String text(String value) {
        return text(value, LONGEST);
    }

    /** A request's path, which is worth more room. */
    public static String path(String value) {
        return text(value, LONGEST_PATH);
    }

    public static boolean holdsToken(String value) {
        return TOKEN.matcher(value).find();
    }

    private static String text(String value, int longest) {
        String plain = TOKEN.matcher(value).replaceAll("$1$2(redacted)").replaceAll("[^\\x20-\\x7E]", "?");
        return plain.length() <= longest ? plain : plain.substring(0, longest) + "…";
    }
}
