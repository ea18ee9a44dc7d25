package dev.homeport.cli.output;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads with the library below Jackson's, whose trees have the name of an alias where its value belongs, and the last of two
 * values where a key stands twice.
 */
public final class YamlReading {
    private static final int MOST_DEEP = 500;

    /** In characters: enough for what people write, and too little for a file that grows into a mountain. */
    private static final long MOST_REPEATED = 10_000_000;

    /** The library copies what it has of a text each time it asks for more. */
    private static final int ASK_FOR = 1 << 20;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setBufferSize(ASK_FOR)
            .setCodePointLimit(Integer.MAX_VALUE)
            .setMaxAliasesForCollections(Integer.MAX_VALUE)
            .build();

    private final JsonNodeFactory nodes = JsonNodeFactory.instance;
    private long left;

    private YamlReading(long left) {
        this.left = left;
    }

    public static List<JsonNode> all(String text) throws JacksonException {
        YamlReading reading = new YamlReading(text.length() + MOST_REPEATED);
        List<JsonNode> documents = new ArrayList<>();
        try {
            for (Object document : new Load(SETTINGS).loadAllFromString(text)) {
                documents.add(reading.node(document, 0));
            }
        } catch (MarkedYamlEngineException e) {
            throw fault(e.getProblem()
                    + e.getProblemMark()
                            .map(mark -> ", in line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1))
                            .orElse(""));
        } catch (YamlEngineException e) {
            throw fault(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            throw fault("it is nested too deeply");
        }
        return documents;
    }

    private JsonNode node(@Nullable Object value, int depth) {
        if (depth > MOST_DEEP) {
            throw fault("it is nested more than " + MOST_DEEP + " deep");
        }
        left--;
        if (left < 0) {
            throw fault("its aliases repeat more than " + MOST_REPEATED + " characters");
        }
        return switch (value) {
            case null -> nodes.nullNode();
            case Map<?, ?> map -> object(map, depth);
            case List<?> list -> array(list, depth);
            case String text -> {
                left -= text.length();
                yield nodes.stringNode(text);
            }
            case Boolean truth -> nodes.booleanNode(truth);
            case Integer number -> nodes.numberNode(number);
            case Long number -> nodes.numberNode(number);
            case BigInteger number -> nodes.numberNode(number);
            case Double number -> nodes.numberNode(number);
            case byte[] bytes -> nodes.binaryNode(bytes);
            default -> throw fault("JSON has nothing for " + value.getClass().getSimpleName());
        };
    }

    private ObjectNode object(Map<?, ?> map, int depth) {
        ObjectNode object = nodes.objectNode();
        map.forEach((key, value) -> {
            left -= String.valueOf(key).length();
            object.set(String.valueOf(key), node(value, depth + 1));
        });
        return object;
    }

    private ArrayNode array(List<?> list, int depth) {
        ArrayNode array = nodes.arrayNode();
        list.forEach(value -> array.add(node(value, depth + 1)));
        return array;
    }

    private static StreamReadException fault(String what) {
        return new StreamReadException(null, what);
    }
}
