package dev.homeport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerCacheTest {
    private static final AnswerCache.Key KEY = new AnswerCache.Key("c1", "namespace", WireShape.FLAT);

    private static Rendered rendered(String text) {
        return new Rendered(text.getBytes(StandardCharsets.UTF_8), 1, "digest of " + text.length());
    }

    private static AnswerCache.State state(Object shared) {
        return new AnswerCache.State(shared, 1, 1);
    }

    @Test
    void bothFormsSayTheSameWhicheverIsKept() {
        AnswerCache cache = new AnswerCache(1_000_000);
        String text = "{\"inputs\": []}".repeat(500);
        AnswerCache.Entry entry = cache.put(KEY, state("a"), rendered(text));
        long plain = cache.weight();
        byte[] zipped = entry.gzip();
        assertThat(cache.weight()).isLessThan(plain / 5);
        assertThat(entry.body()).asString(StandardCharsets.UTF_8).isEqualTo(text);
        assertThat(entry.gzip()).isSameAs(zipped);
        assertThat(cache.get(KEY, state("a"))).isSameAs(entry);
        assertThat(cache.get(KEY, state("b"))).isNull();
        AnswerCache.Entry again = cache.put(KEY, state("b"), rendered(text));
        assertThat(again.gzip()).as("the same content is not zipped again").isSameAs(zipped);
    }

    @Test
    void keepsBothFormsWhereBothAreAskedFor() {
        AnswerCache cache = new AnswerCache(1_000_000);
        String text = "{\"inputs\": []}".repeat(500);
        AnswerCache.Entry entry = cache.put(KEY, state("a"), rendered(text));
        byte[] zipped = entry.gzip();
        long gzipAlone = cache.weight();
        byte[] plain = entry.body();
        assertThat(entry.body()).as("not unzipped again").isSameAs(plain);
        assertThat(entry.gzip()).isSameAs(zipped);
        assertThat(cache.weight()).as("both are counted").isEqualTo(gzipAlone + text.length());
        AnswerCache.Entry again = cache.put(KEY, state("b"), rendered(text));
        assertThat(again.body()).isSameAs(plain);
        assertThat(again.gzip()).isSameAs(zipped);
    }

    @Test
    void keepsNoSecondFormWithoutRoomForIt() {
        AnswerCache cache = new AnswerCache(20_000);
        List<AnswerCache.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            AnswerCache.Key key = new AnswerCache.Key("c" + i, "namespace", WireShape.FLAT);
            AnswerCache.Entry entry = cache.put(key, state("a"), rendered("x".repeat(3_000 + i)));
            entry.gzip();
            entries.add(entry);
        }
        for (AnswerCache.Entry entry : entries) {
            assertThat(entry.body()).hasSizeGreaterThanOrEqualTo(3_000);
            assertThat(cache.weight()).isLessThanOrEqualTo(10_000);
        }
    }

    @Test
    void doesNotGrowBeyondItsRoom() {
        AnswerCache cache = new AnswerCache(100_000);
        for (int i = 0; i < 1_000; i++) {
            AnswerCache.Key key = new AnswerCache.Key("c" + i, "namespace", WireShape.FLAT);
            cache.put(key, state("a"), rendered("x".repeat(1_000 + i)));
            assertThat(cache.weight()).isLessThanOrEqualTo(50_000);
        }
        assertThat(cache.get(KEY, state("a"))).isNull();
        assertThat(cache.get(new AnswerCache.Key("c999", "namespace", WireShape.FLAT), state("a")))
                .isNotNull();
    }
}
