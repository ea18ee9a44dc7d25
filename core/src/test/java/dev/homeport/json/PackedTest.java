package dev.homeport.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PackedTest {
    private static final int DOCUMENTS = 50_000;

    @Test
    void whatIsPackedComesBack() {
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = RandomJson.object(random, 4);
            JsonNode back = Packed.unpack(Packed.pack(document));
            assertEquals(CanonicalJson.text(document), CanonicalJson.text(back));
        }
    }

    @Test
    void equalCanonicalTextMeansEqualBytes() {
        SplittableRandom random = new SplittableRandom(43);
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = RandomJson.object(random, 4);
            ObjectNode reread = StrictJson.read(CanonicalJson.text(document));
            assertArrayEquals(Packed.pack(document), Packed.pack(reread), () -> CanonicalJson.text(document));
        }
    }

    @Test
    void aWholeNumberIsTheSameHoweverItWasWritten() {
        assertArrayEquals(Packed.pack(StrictJson.read("{\"a\":1}")), Packed.pack(StrictJson.read("{\"a\":1.0}")));
        assertArrayEquals(Packed.pack(StrictJson.read("{\"a\":0}")), Packed.pack(StrictJson.read("{\"a\":-0.0}")));
        assertArrayEquals(Packed.pack(StrictJson.read("{\"a\":100}")), Packed.pack(StrictJson.read("{\"a\":1e2}")));
    }

    @Test
    void aCursorCanSkipAnyValue() {
        SplittableRandom random = new SplittableRandom(44);
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = StrictJson.object();
            document.set("first", RandomJson.value(random, 4));
            document.put("second", i);
            PackedCursor cursor = new PackedCursor(Packed.pack(document));
            cursor.object();
            cursor.skip();
            assertEquals(i, cursor.integer());
        }
    }
}
