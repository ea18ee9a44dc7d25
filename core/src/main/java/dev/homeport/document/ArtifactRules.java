package dev.homeport.document;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Grammars of where a component comes from. */
final class ArtifactRules {
    private static final Pattern URL = Pattern.compile("(oci|https)://([^/:]+)(:([1-9][0-9]{0,4}))?(/.*)?");
    private static final Pattern OCI_SEGMENT = Pattern.compile("[a-z0-9]([a-z0-9._-]*[a-z0-9])?");
    private static final Pattern WEB_SEGMENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._~-]*");
    private static final Pattern PATH_SEGMENT = Pattern.compile("[A-Za-z0-9._-]+");

    private ArtifactRules() {}

    static Optional<String> url(String text) {
        Matcher url = URL.matcher(text);
        if (!url.matches() || !isSoundHost(url)) {
            return Optional.of("this is not an address of the form oci://host/path");
        }
        boolean oci = url.group(1).equals("oci");
        String path = url.group(5);
        if (path == null) {
            return oci ? Optional.of("the address has no path") : Optional.empty();
        }
        return segments(path.substring(1), oci ? OCI_SEGMENT.asMatchPredicate() : WEB_SEGMENT.asMatchPredicate());
    }

    static Optional<String> urlPrefix(String text) {
        String whole = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        Matcher url = URL.matcher(whole);
        if (url.matches() && url.group(5) == null && isSoundHost(url)) {
            return Optional.empty();
        }
        return url(whole);
    }

    static Optional<String> path(String text) {
        return segments(text, PATH_SEGMENT.asMatchPredicate());
    }

    private static boolean isSoundHost(Matcher url) {
        String port = url.group(4);
        return url.group(2).length() <= 253
                && IdRules.isSubdomain(url.group(2))
                && (port == null || Integer.parseInt(port) <= 65_535);
    }

    private static Optional<String> segments(String path, Predicate<String> grammar) {
        return Arrays.stream(path.split("/", -1))
                .filter(segment -> segment.equals(".") || segment.contains("..") || !grammar.test(segment))
                .map(segment -> segment.isEmpty() ? "the path has an empty segment" : "the path has a bad segment")
                .findFirst();
    }
}
