package dev.homeport.server.admin;

/** Text of a caller as a message may repeat it: short, and without anything a terminal or a log would obey. */
final class Plain {
    private static final int LONGEST = 60;

    private Plain() {}

    static String text(String value) {
        String plain = value.replaceAll("[^\\x20-\\x7E]", "?");
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "…";
    }
}
