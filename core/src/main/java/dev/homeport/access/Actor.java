package dev.homeport.access;

/** The author of a commit, as the log keeps it. */
public record Actor(Kind kind, String name) {
    public static final Actor SYSTEM = new Actor(Kind.SYSTEM, "homeport");

    /** The kind of caller. */
    public enum Kind {
        PERSON,
        SERVICE,
        CLUSTER,
        COMPAT,
        SYSTEM
    }

    /** The form in the log: {@code person:alice}. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(java.util.Locale.ROOT) + ":" + name;
    }

    public static Actor parse(String text) {
        int colon = text.indexOf(':');
        return new Actor(
                Kind.valueOf(text.substring(0, colon).toUpperCase(java.util.Locale.ROOT)), text.substring(colon + 1));
    }
}
