package dev.homeport.document;

import com.networknt.schema.SchemaException;
import com.networknt.schema.regex.RegularExpression;
import java.util.regex.Pattern;

/**
 * A pattern of a schema. Types added at run time bring their own patterns, and a pattern can take exponential time on a short
 * text, so each match has a budget. {@code $} means the end of the text, as in ECMAScript, and not also the place before a
 * last line break.
 */
final class BoundedRegex implements RegularExpression {
    private static final int BUDGET = 2_000_000;

    private final Pattern pattern;

    BoundedRegex(String regex) {
        this.pattern = Pattern.compile(withStrictEnd(regex));
    }

    @Override
    public boolean matches(String value) {
        try {
            return pattern.matcher(new Metered(value, new int[] {BUDGET})).find();
        } catch (StackOverflowError e) {
            throw new Exhausted();
        }
    }

    static String withStrictEnd(String regex) {
        StringBuilder out = new StringBuilder(regex.length() + 2);
        int classes = 0;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\' && i + 1 < regex.length()) {
                out.append(c).append(regex.charAt(++i));
                continue;
            }
            if (c == '[') {
                classes++;
            } else if (c == ']' && classes > 0) {
                classes--;
            }
            out.append(c == '$' && classes == 0 ? "\\z" : String.valueOf(c));
        }
        return out.toString();
    }

    /** The pattern needs more work for this text than it is given. Of the library's kind, so that it is not logged. */
    static final class Exhausted extends SchemaException {
        private static final long serialVersionUID = 1L;

        Exhausted() {
            super("a pattern takes too long");
        }
    }

    private record Metered(CharSequence text, int[] left) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (--left[0] < 0) {
                throw new Exhausted();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Metered(text.subSequence(start, end), left);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
