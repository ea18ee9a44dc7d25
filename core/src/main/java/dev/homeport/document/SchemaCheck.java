package dev.homeport.document;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectId;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.NonValidationKeyword;
import dev.homeport.problem.Violation;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Checks a body against its type's schema. The only class that runs the schema library, which never fetches anything. */
final class SchemaCheck {
    private static final String HOME = "https://json-schema.org/draft/2020-12/";

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDialect(
            dialect(),
            registry -> registry
                    // With one of these missing the library would go to the network for an unknown $ref.
                    .schemaLoader(loader ->
                            loader.allow(iri -> iri.toString().startsWith(HOME)).fetchRemoteResources(false))
                    .schemaCacheEnabled(false)
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .formatAssertionsEnabled(true)
                            .regularExpressionFactory(BoundedRegex::new)
                            .build()));

    private static final Schema OF_SCHEMAS = REGISTRY.getSchema(SchemaLocation.of(DialectId.DRAFT_2020_12));

    private static final WeakIdentityCache<TypeDefinition, Schema> COMPILED =
            new WeakIdentityCache<>(type -> compile(type.schema()));

    private SchemaCheck() {}

    static List<Violation> check(TypeDefinition type, ObjectNode body) {
        Schema schema = COMPILED.get(type);
        try {
            return words(type.schema(), schema.validate(body));
        } catch (BoundedRegex.Exhausted | StackOverflowError e) {
            return List.of(new Violation(
                    "",
                    "the type's schema takes too much work for this document",
                    "simplify the schema of " + type.name()));
        }
    }

    /** What is wrong with a schema as a schema. */
    static List<Violation> checkSchema(ObjectNode schema) {
        return words((ObjectNode) OF_SCHEMAS.getSchemaNode(), OF_SCHEMAS.validate(schema));
    }

    /** Fails when the schema cannot be used: a pattern that does not compile, a reference that leads nowhere. */
    static Schema compile(ObjectNode schema) {
        Schema compiled = REGISTRY.getSchema(schema);
        compiled.initializeValidators();
        return compiled;
    }

    private static List<Violation> words(ObjectNode schema, List<Error> errors) {
        SchemaWords words = new SchemaWords(schema);
        return errors.stream().map(words::violation).toList();
    }

    private static Dialect dialect() {
        return Dialect.builder(DialectId.DRAFT_2020_12, Dialects.getDraft202012())
                .formats(
                        Arrays.stream(Grammar.values()).map(SchemaCheck::format).toList())
                .keyword(new NonValidationKeyword("x-hint"))
                .keyword(new NonValidationKeyword("x-lenient"))
                .build();
    }

    private static Format format(Grammar grammar) {
        return new Format() {
            @Override
            public String getName() {
                return grammar.format();
            }

            @Override
            public boolean matches(ExecutionContext context, String value) {
                return grammar.fault(value).isEmpty();
            }
        };
    }
}
