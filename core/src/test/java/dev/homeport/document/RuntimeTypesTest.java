package dev.homeport.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.homeport.document.TypeDefinition.Part;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class RuntimeTypesTest {
    @Test
    void aTypeIsServedAndClosedAndHasAnId() {
        TypeDefinition type = type("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}");
        assertEquals("quota", type.name());
        assertEquals("quotas", type.plural());
        assertEquals(Part.ITEM, type.part());
        assertEquals(List.of(), check(type, "{\"id\":\"x\",\"a\":1,\"schema_version\":1}"));
        assertEquals(List.of("/b"), pointers(check(type, "{\"id\":\"x\",\"b\":1}")));
        assertEquals(List.of("/id"), pointers(check(type, "{\"a\":1}")));
    }

    @Test
    void aComposedSchemaIsClosedToo() {
        TypeDefinition type = type("""
                {"type":"object","allOf":[{"$ref":"#/$defs/part"}],
                 "$defs":{"part":{"properties":{"a":{"type":"integer"}}}}}""");
        assertEquals(List.of(), check(type, "{\"id\":\"x\",\"a\":1}"));
        assertEquals(List.of("/b"), pointers(check(type, "{\"id\":\"x\",\"b\":1}")));
    }

    @Test
    void whatTheUserSaysAboutUnknownFieldsIsKept() {
        TypeDefinition type = type("{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}");
        assertEquals(List.of(), check(type, "{\"id\":\"x\",\"b\":\"text\"}"));
        assertEquals(List.of("/b"), pointers(check(type, "{\"id\":\"x\",\"b\":\"te\\u0000xt\"}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"^(a+)+$", "^(a|aa)+$", "^([a-z]+)*x$", "(.*)*y", "^(\\\\w+\\\\s?)*$"})
    void aPatternThatTakesForEverIsCutOff(String pattern) {
        TypeDefinition type = type(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"" + pattern + "\"}}}");
        ObjectNode body = StrictJson.object().put("id", "x").put("a", "a".repeat(60_000) + "!");
        List<Violation> found = assertTimeoutPreemptively(
                Duration.ofMinutes(2), () -> DocumentRules.check(type, "x", body, Leniency.STRICT));
        assertEquals(1, found.size());
    }

    @Test
    void aDollarIsTheEndAndNothingElse() {
        assertEquals("^a\\z", BoundedRegex.withStrictEnd("^a$"));
        assertEquals("[$]\\$\\z|b\\z", BoundedRegex.withStrictEnd("[$]\\$$|b$"));
    }

    @Test
    void aBadTypeIsAProblemOfTheCaller() {
        assertThrows(ProblemException.class, () -> type("{\"type\":\"object\",\"$ref\":\"http://example.com/x\"}"));
        assertThrows(ProblemException.class, () -> RuntimeTypes.definition(StrictJson.object()));
    }

    /** Even if a reference slipped through the checks, the library must not follow it. */
    @Test
    void nothingIsEverFetched() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(200);
            String address = "http://127.0.0.1:" + server.getLocalPort() + "/x.json";
            ObjectNode schema = StrictJson.object().put("$ref", address);
            assertThrows(
                    RuntimeException.class, () -> SchemaCheck.compile(schema).validate(StrictJson.object()));
            assertThrows(SocketTimeoutException.class, server::accept);
        }
    }

    @Test
    void namesOfFieldsMayLookLikeKeywords() {
        TypeDefinition type = type("""
                {"type":"object","properties":{"$id":{"type":"string"},"pattern":{"type":"string"},"$ref":{"type":"string"}}}""");
        assertEquals(List.of(), check(type, "{\"id\":\"x\",\"$id\":\"a\",\"pattern\":\"(\",\"$ref\":\"b\"}"));
    }

    private static TypeDefinition type(String schema) {
        ObjectNode body = StrictJson.object().put("id", "quota").put("plural", "quotas");
        body.set("schema", StrictJson.read(schema));
        return RuntimeTypes.definition(body);
    }

    private static List<Violation> check(TypeDefinition type, String body) {
        return DocumentRules.check(type, "x", StrictJson.read(body), Leniency.STRICT);
    }

    private static List<String> pointers(List<Violation> found) {
        return found.stream().map(Violation::pointer).toList();
    }
}
