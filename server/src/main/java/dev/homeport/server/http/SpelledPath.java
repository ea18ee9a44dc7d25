package dev.homeport.server.http;

import java.util.regex.Pattern;

/** Paths as some clients spell them: {@code /clusters/c1%3Apause} is {@code /clusters/c1:pause}. */
public final class SpelledPath {
    /** What needs no escape in a part of a path and cannot end one. */
    private static final Pattern NEEDLESS =
            Pattern.compile("%(?:2[dDeE]|3[0-9aA]|4[0-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])");

    private SpelledPath() {}

    /** Without needless escapes; all others stay as they are, so nothing becomes a separator, and nothing is read twice. */
    public static String plain(String path) {
        return path.indexOf('%') < 0
                ? path
                : NEEDLESS.matcher(path)
                        .replaceAll(escape -> Character.toString(
                                Integer.parseInt(escape.group().substring(1), 16)));
    }
}
