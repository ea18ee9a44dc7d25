package dev.homeport.document;

import java.util.Optional;
import java.util.regex.Pattern;

/** Grammars of names. Each method says what is wrong with the text, if anything, without repeating it. */
public final class IdRules {
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern TYPE_NAME = Pattern.compile("[a-z]([a-z0-9_]{0,38}[a-z0-9])?");
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private IdRules() {}

    /** Of documents, clusters, environments …: almost everything. */
    public static Optional<String> name(String text) {
        if (!NAME.matcher(text).matches()) {
            return Optional.of("this is not a name");
        }
        return plainWord(text);
    }

    /** Kubernetes allows a namespace to begin with a digit. */
    public static Optional<String> namespaceName(String text) {
        return DNS_LABEL.matcher(text).matches() ? plainWord(text) : Optional.of("this is not a namespace's name");
    }

    public static Optional<String> typeName(String text) {
        return TYPE_NAME.matcher(text).matches() ? plainWord(text) : Optional.of("this is not a type's name");
    }

    /** RFC 1123, lower case, at least two labels or one that is not a number. */
    public static Optional<String> dnsName(String text) {
        if (text.length() > 253) {
            return Optional.of("a DNS name has at most 253 characters");
        }
        String last = text.substring(text.lastIndexOf('.') + 1);
        if (!isSubdomain(text)) {
            return Optional.of("this is not a lower-case DNS name");
        }
        return last.chars().allMatch(c -> c >= '0' && c <= '9')
                ? Optional.of("a DNS name does not end in a number")
                : plainWord(text);
    }

    public static Optional<String> objectName(String text) {
        if (text.length() > 253 || !isSubdomain(text)) {
            return Optional.of("this is not the name of a Kubernetes object");
        }
        return plainWord(text);
    }

    static Optional<String> plainWord(String text) {
        return YamlWords.contains(text)
                ? Optional.of("YAML reads this as a number, a date or a boolean, not as text")
                : Optional.empty();
    }

    static boolean isSubdomain(String text) {
        for (String label : text.split("\\.", -1)) {
            if (!DNS_LABEL.matcher(label).matches()) {
                return false;
            }
        }
        return true;
    }
}
