package dev.homeport.problem;

import dev.homeport.api.ErrorCode;
import java.util.List;

/** Why a request was refused, in words for the caller: what, where, what to do. Never an internal detail. */
public sealed interface Problem {
    ErrorCode code();

    String detail();

    String next();

    /** The request's documents break rules; every violation found is listed. */
    record Invalid(ErrorCode code, List<Violation> violations) implements Problem {
        private static final int SHOWN_POINTER = 120;

        public Invalid {
            violations = List.copyOf(violations);
        }

        public static Invalid of(List<Violation> violations) {
            return new Invalid(ErrorCode.INVALID, violations);
        }

        public static Invalid of(String pointer, String detail, String fix) {
            return of(List.of(new Violation(pointer, detail, fix)));
        }

        @Override
        public String detail() {
            Violation first = violations.getFirst();
            String rest = violations.size() == 1 ? "" : " (and " + (violations.size() - 1) + " more)";
            return (first.pointer().isEmpty() ? "" : shown(first.pointer()) + ": ") + first.detail() + rest;
        }

        /** A pointer repeats keys that a caller chose; in running text it is kept short and free of control characters. */
        private static String shown(String pointer) {
            String plain = pointer.codePoints()
                    .limit(SHOWN_POINTER)
                    .map(point ->
                            Character.isISOControl(point) || Character.getType(point) == Character.FORMAT ? '?' : point)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            return pointer.length() > SHOWN_POINTER ? plain + "…" : plain;
        }

        @Override
        public String next() {
            return violations.getFirst().fix();
        }
    }

    /** Anything that is about the state the request met; {@code involved} names the documents or commits concerned. */
    record Refused(ErrorCode code, String detail, String next, List<String> involved) implements Problem {
        public Refused {
            involved = List.copyOf(involved);
        }

        public Refused(ErrorCode code, String detail, String next) {
            this(code, detail, next, List.of());
        }
    }
}
