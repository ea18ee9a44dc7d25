package dev.homeport.observe;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a template says when it refuses an answer, which the engine prints behind where it was said. */
public final class TemplateFailure {
    private static final Pattern FAIL = Pattern.compile("(.*?): error calling fail: (.+)", Pattern.DOTALL);

    private TemplateFailure() {}

    /** The message with the template's own sentence first; any other message as it is. */
    public static String sentenceFirst(String message) {
        Matcher matcher = FAIL.matcher(message.strip());
        return matcher.matches() ? matcher.group(2) + " (" + matcher.group(1) + ")" : message;
    }
}
