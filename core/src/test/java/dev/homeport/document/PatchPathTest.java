package dev.homeport.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PatchPathTest {
    private static final String[] SEGMENTS = {"a", "b", "a.b", "\\", "a\\.b", ".", "c-d", "\u00f6", "0"};

    @Test
    void aDotSeparatesAndABackslashMakesItLiteral() {
        assertEquals(List.of("a", "b"), PatchPath.segments("a.b"));
        assertEquals(List.of("a.b", "c"), PatchPath.segments("a\\.b.c"));
        assertEquals(List.of("a\\", "b"), PatchPath.segments("a\\\\.b"));
        assertEquals("kubernetes\\.io/os", PatchPath.path(List.of("kubernetes.io/os")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "a\\", "a\\b", "\\"})
    void isNotAPath(String text) {
        assertThrows(ProblemException.class, () -> PatchPath.segments(text));
    }

    @Test
    void hasAtMost32Segments() {
        assertEquals(32, PatchPath.segments("a.".repeat(31) + "a").size());
        assertThrows(ProblemException.class, () -> PatchPath.segments("a.".repeat(32) + "a"));
    }

    @Test
    void belowMeansInside() {
        assertTrue(PatchPath.isBelow("a.b", "a"));
        assertTrue(PatchPath.isBelow("a\\\\.b", "a\\\\"));
        assertFalse(PatchPath.isBelow("a", "a"));
        assertFalse(PatchPath.isBelow("ab", "a"));
        assertFalse(PatchPath.isBelow("a\\.b", "a"));
        assertFalse(PatchPath.isBelow("a", "a.b"));
    }

    @Test
    void patchesAreExpandedToLeaves() {
        assertEquals(
                "{a.b=1, a.c=[{\"x\":1}], d={}, e.k\\.io/x=true, f={\"$cluster\":\"name\"}}",
                leaves("""
                        {"a.b":1,"a":{"c":[{"x":1}]},"d":{},"e":{"k.io/x":true},"f":{"$cluster":"name"}}""").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a.b\":2}",
                "{\"a.b\":2,\"a\":1}",
                "{\"a\":1,\"a-b\":3,\"a.b\":2}",
                "{\"a.b\":1,\"a\":{\"b\":1}}",
                "{\"a\":{},\"a.b.c\":1}",
                "{\"a\":[],\"a\\\\.x\":1,\"a.b\":1}",
                "{\"a\":{\"$cluster\":\"name\"},\"a.b\":1}",
                "{\"a\":{\"\":1}}"
            })
    void conflictsAreRefused(String patches) {
        ProblemException refused = assertThrows(ProblemException.class, () -> leaves(patches));
        assertEquals(1, ((Problem.Invalid) refused.problem()).violations().size());
    }

    @Test
    void segmentsSurviveBeingAPath() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 50_000; i++) {
            List<String> segments = segments(random);
            assertEquals(segments, PatchPath.segments(PatchPath.path(segments)));
        }
    }

    @Test
    void leavesNestAndComeBack() {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 20_000; i++) {
            ObjectNode values = values(random, 4);
            SortedMap<String, JsonNode> leaves = PatchPath.leavesOfValues(values);
            assertEquals(values, PatchPath.nest(leaves));
            assertEquals(leaves, PatchPath.leavesOfValues(PatchPath.nest(leaves)));
        }
    }

    @Test
    void leavesAreTheirOwnLeaves() {
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 20_000; i++) {
            SortedMap<String, JsonNode> leaves = PatchPath.leavesOfValues(values(random, 4));
            ObjectNode flat = StrictJson.object();
            leaves.forEach(flat::set);
            assertEquals(leaves, PatchPath.leaves(flat));
        }
    }

    @Test
    void noLeafIsBelowAnother() {
        SplittableRandom random = new SplittableRandom(10);
        int conflicts = 0;
        for (int i = 0; i < 20_000; i++) {
            ObjectNode patches = StrictJson.object();
            for (int left = random.nextInt(1, 5); left > 0; left--) {
                patches.put(PatchPath.path(segments(random)), left);
            }
            boolean nested = patches.propertyStream()
                    .anyMatch(one ->
                            patches.propertyStream().anyMatch(two -> PatchPath.isBelow(one.getKey(), two.getKey())));
            conflicts += nested ? 1 : 0;
            assertEquals(nested, !PatchLeaves.ofPatches(patches, "").faults().isEmpty(), patches::toString);
        }
        assertTrue(conflicts > 500, "only " + conflicts);
    }

    private static SortedMap<String, JsonNode> leaves(String patches) {
        return PatchPath.leaves(StrictJson.read(patches));
    }

    private static List<String> segments(SplittableRandom random) {
        return random.ints(random.nextInt(1, 5), 0, SEGMENTS.length)
                .mapToObj(i -> SEGMENTS[i])
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static ObjectNode values(SplittableRandom random, int depth) {
        ObjectNode object = StrictJson.object();
        for (int left = random.nextInt(1, 4); left > 0; left--) {
            String key = SEGMENTS[random.nextInt(SEGMENTS.length)];
            switch (random.nextInt(depth > 1 ? 6 : 4)) {
                case 0 -> object.put(key, random.nextInt());
                case 1 -> object.putArray(key).add("x");
                case 2 -> object.putObject(key);
                case 3 -> object.putObject(key).put("$cluster", "dns");
                default -> object.set(key, values(random, depth - 1));
            }
        }
        return object;
    }
}
