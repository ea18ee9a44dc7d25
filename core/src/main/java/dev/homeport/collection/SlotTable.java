package dev.homeport.collection;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A persistent array: slot number to value, in pages of 1,024, so that a change copies a page and the page table. */
public final class SlotTable<V> {
    private static final int PAGE = 1024;
    private static final SlotTable<?> EMPTY = new SlotTable<>(new Object[0][], 0);

    private final @Nullable Object[][] pages;
    private final int end;

    private SlotTable(@Nullable Object[][] pages, int end) {
        this.pages = pages;
        this.end = end;
    }

    @SuppressWarnings("unchecked")
    public static <V> SlotTable<V> empty() {
        return (SlotTable<V>) EMPTY;
    }

    /** One past the highest slot ever set. */
    public int end() {
        return end;
    }

    @SuppressWarnings("unchecked")
    public @Nullable V get(int slot) {
        return slot < end ? (V) pages[slot / PAGE][slot % PAGE] : null;
    }

    /** This table with the slot set, or cleared when the value is null. */
    @SuppressWarnings("NullAway") // does not see through two dimensions
    public SlotTable<V> with(int slot, @Nullable V value) {
        int page = slot / PAGE;
        @Nullable Object[][] next = Arrays.copyOf(pages, Math.max(pages.length, page + 1));
        for (int i = pages.length; i < next.length; i++) {
            next[i] = new Object[PAGE];
        }
        next[page] = next[page].clone();
        next[page][slot % PAGE] = value;
        return new SlotTable<>(next, Math.max(end, slot + 1));
    }

    public static <V> SlotTable<V> of(Iterable<V> values, int count) {
        Object[][] pages = new Object[(count + PAGE - 1) / PAGE][PAGE];
        int slot = 0;
        for (V value : values) {
            pages[slot / PAGE][slot % PAGE] = value;
            slot++;
        }
        return new SlotTable<>(pages, slot);
    }
}
