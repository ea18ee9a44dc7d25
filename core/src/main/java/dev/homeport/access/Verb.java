package dev.homeport.access;

/** What a caller wants to do with a document. */
public enum Verb {
    READ,
    CREATE,
    UPDATE,
    DELETE,
    DECOMMISSION,
    UNDELETE,
    DETACH,
    PURGE,
    PAUSE,
    RESUME,
    /** To pass a freeze. */
    HOTFIX,
    /** To see what was refused to others. */
    AUDIT;

    /** As roles and messages spell it. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    public static java.util.Optional<Verb> of(String word) {
        return java.util.Arrays.stream(values())
                .filter(verb -> verb.word().equals(word))
                .findFirst();
    }
}
