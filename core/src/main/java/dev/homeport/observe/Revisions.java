package dev.homeport.observe;

/** Compares what an event says was applied with what was asked for. */
final class Revisions {
    private Revisions() {}

    /**
     * A revision is {@code <tag>@sha256:…} for an artifact, {@code <version>+<digest>} for a chart. A registry's tag cannot
     * hold a plus sign, so a chart's build part stands behind an underscore there.
     */
    static boolean match(String revision, String tag) {
        if (revision.isEmpty() || tag.isEmpty()) {
            return false;
        }
        int at = revision.indexOf('@');
        String named = at < 0 ? revision : revision.substring(0, at);
        if (named.equals(tag)) {
            return true;
        }
        // A tag that is a digest is found behind the sign.
        return at >= 0 ? revision.substring(at + 1).equals(tag) : version(named).equals(version(tag));
    }

    private static String version(String text) {
        String plain = text.startsWith("v") ? text.substring(1) : text;
        int end = plain.indexOf('+');
        int other = plain.indexOf('_');
        int cut = end < 0 ? other : other < 0 ? end : Math.min(end, other);
        return cut < 0 ? plain : plain.substring(0, cut);
    }
}
