package dev.homeport.cli.terminal;

/** Text of others on a terminal: one line, and nothing that moves a cursor, changes a colour or turns the direction. */
public final class SafeText {
    private static final char REPLACEMENT = '\uFFFD';

    private SafeText() {}

    public static String line(String text) {
        boolean plain = true;
        for (int i = 0; plain && i < text.length(); i++) {
            plain = text.charAt(i) >= ' ' && text.charAt(i) < 0x7F;
        }
        if (plain) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            switch (Character.getType(point)) {
                case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                    safe.append(point == '\n' || point == '\t' || point == '\r' ? ' ' : REPLACEMENT);
                case Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED ->
                    safe.append(REPLACEMENT);
                default -> safe.appendCodePoint(point);
            }
        });
        return safe.toString();
    }
}
