package dev.homeport.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors of RFC 8785, its appendix B and its section 3.2. */
class CanonicalJsonTest {
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbersOfAppendixB(String bits, String expected) {
        assertEquals(expected, CanonicalJson.number(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))));
    }

    @ParameterizedTest
    @CsvSource({
        "333333333.33333329, 333333333.3333333",
        "1E30, 1e+30",
        "4.50, 4.5",
        "2e-3, 0.002",
        "0.000000000000000000000000001, 1e-27",
        "1e21, 1e+21",
        "1e20, 100000000000000000000",
        "1e-7, 1e-7",
        "1e-6, 0.000001",
        "-0, 0",
        "-0.0, 0",
        "1.0, 1",
        "-1.50, -1.5",
        "123456789012345680000, 123456789012345680000",
        "9007199254740991, 9007199254740991"
    })
    void numbersAsWritten(String written, String expected) {
        assertEquals("[" + expected + "]", canonical("[" + written + "]"));
    }

    @Test
    void keysAreOrderedByUtf16Units() {
        String written = """
                {"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",\
                "\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}""";
        assertEquals(
                "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
                canonical(written));
    }

    @Test
    void structureOfSection32() {
        String written = """
                { "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false] }""";
        assertEquals(
                "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}",
                canonical(written));
    }

    @Test
    void canonicalTextIsAFixedPoint() {
        SplittableRandom random = new SplittableRandom(8785);
        for (int i = 0; i < 20_000; i++) {
            String once = CanonicalJson.text(RandomJson.value(random, 4));
            assertEquals(once, canonical(once));
        }
    }

    @Test
    void everyDoubleReadsBackAsItself() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertEquals(value, Double.parseDouble(CanonicalJson.number(value)), 0.0);
            }
        }
    }

    @Test
    void nonFiniteNumbersAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.number(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.number(Double.NEGATIVE_INFINITY));
    }

    private static String canonical(String json) {
        return CanonicalJson.text(StrictJson.parse(json.getBytes(StandardCharsets.UTF_8)));
    }
}
