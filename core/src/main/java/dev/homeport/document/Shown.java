package dev.homeport.document;

/** Text of a caller as it may be repeated in a message: short, and without anything a terminal or a log would obey. */
final class Shown {
    static final int MAX = 60;

    private Shown() {}

    static String text(String value) {
        StringBuilder out = new StringBuilder();
        boolean cut = false;
        for (int i = 0; i < value.length() && !cut; ) {
            int point = value.codePointAt(i);
            String piece = TextRules.isPlain(point) ? Character.toString(point) : String.format("\\u%04x", point);
            cut = out.length() + piece.length() > MAX - 1;
            if (!cut) {
                out.append(piece);
            }
            i += Character.charCount(point);
        }
        return cut ? out.append('…').toString() : out.toString();
    }
}
