package dev.homeport.server.admin.filter;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import tools.jackson.databind.JsonNode;

/**
 * Which documents are meant, such as {@code environment = "prod" AND NOT owner : "team" AND labels.region in ("eu", "us")}.
 * Fields are those of the document, and {@code meta.…} and {@code status.…}. A field that is missing is unequal to everything.
 * {@code :} looks for a part of a text, or for an element of a list. AND and OR are mixed only with parentheses.
 */
public sealed interface Filter {
    /** @param fields the part of the document that a first name stands in */
    boolean matches(Function<FieldPath, JsonNode> fields);

    /** How a value is compared. */
    enum Comparison {
        EQUAL("="),
        UNEQUAL("!="),
        BELOW("<"),
        AT_MOST("<="),
        ABOVE(">"),
        AT_LEAST(">="),
        HAS(":");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        String sign() {
            return sign;
        }
    }

    /** One field and one value. */
    record Compare(FieldPath path, Comparison comparison, Literal literal) implements Filter {
        @Override
        public boolean matches(Function<FieldPath, JsonNode> fields) {
            List<JsonNode> values = path.values(fields.apply(path));
            return switch (comparison) {
                case EQUAL -> values.stream().anyMatch(literal::equalTo);
                case UNEQUAL -> values.stream().noneMatch(literal::equalTo);
                case HAS -> values.stream().anyMatch(literal::isIn);
                case BELOW -> ordered(values, order -> order < 0);
                case AT_MOST -> ordered(values, order -> order <= 0);
                case ABOVE -> ordered(values, order -> order > 0);
                case AT_LEAST -> ordered(values, order -> order >= 0);
            };
        }

        private boolean ordered(List<JsonNode> values, IntPredicate wanted) {
            return values.stream().anyMatch(value -> {
                var order = literal.order(value);
                return order.isPresent() && wanted.test(order.getAsInt());
            });
        }
    }

    /** One field and several values. */
    record In(FieldPath path, List<Literal> literals) implements Filter {
        public In {
            literals = List.copyOf(literals);
        }

        @Override
        public boolean matches(Function<FieldPath, JsonNode> fields) {
            return path.values(fields.apply(path)).stream()
                    .anyMatch(value -> literals.stream().anyMatch(literal -> literal.equalTo(value)));
        }
    }

    /** All of them. */
    record All(List<Filter> parts) implements Filter {
        public All {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean matches(Function<FieldPath, JsonNode> fields) {
            return parts.stream().allMatch(part -> part.matches(fields));
        }
    }

    /** Any of them. */
    record Any(List<Filter> parts) implements Filter {
        public Any {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean matches(Function<FieldPath, JsonNode> fields) {
            return parts.stream().anyMatch(part -> part.matches(fields));
        }
    }

    /** Not this. */
    record Not(Filter part) implements Filter {
        @Override
        public boolean matches(Function<FieldPath, JsonNode> fields) {
            return !part.matches(fields);
        }
    }
}
