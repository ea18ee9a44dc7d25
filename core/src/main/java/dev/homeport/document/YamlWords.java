package dev.homeport.document;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Text that an unquoted YAML scalar turns into something else. Templates that are not ours may leave a name unquoted; the
 * object then silently disappears, and is deleted if it was there before.
 */
final class YamlWords {
    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "~", ".nan", ".inf");

    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(\\.[0-9_]*)?(e[-+]?[0-9]+)?|\\.[0-9][0-9_]*(e[-+]?[0-9]+)?"
                    + "|\\.inf|[0-9]+:[0-9:.]+)");

    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}");

    private YamlWords() {}

    static boolean contains(String text) {
        if (text.length() > 64) {
            return false;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return WORDS.contains(lower)
                || NUMBER.matcher(lower).matches()
                || DATE.matcher(lower).matches();
    }
}
