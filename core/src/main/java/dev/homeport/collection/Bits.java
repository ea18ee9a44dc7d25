package dev.homeport.collection;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent set of small numbers. Few members are a sorted array; many are pages of 4,096 bits, of which a change copies
 * one. So "which clusters use this component" costs a bit per cluster if most do, and four bytes if few do.
 */
public final class Bits {
    public static final Bits NONE = new Bits(new int[0], new long[0][], 0);

    private static final int FEW = 32;
    private static final int PAGE_BITS = 12;
    private static final int PAGE_LONGS = 1 << (PAGE_BITS - 6);

    /** The members when they are few, otherwise null. */
    private final int @Nullable [] few;

    private final long[] @Nullable [] pages;
    private final int size;

    private Bits(int @Nullable [] few, long[] @Nullable [] pages, int size) {
        this.few = few;
        this.pages = pages;
        this.size = size;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public boolean contains(int number) {
        if (few != null) {
            return Arrays.binarySearch(few, number) >= 0;
        }
        int p = number >>> PAGE_BITS;
        long[] page = p < pages.length ? pages[p] : null;
        return page != null && (page[longOf(number)] & 1L << number) != 0;
    }

    public Bits with(int number) {
        return contains(number) ? this : edit().add(number).done();
    }

    public Bits without(int number) {
        return contains(number) ? edit().remove(number).done() : this;
    }

    public void forEach(IntConsumer action) {
        if (few != null) {
            for (int member : few) {
                action.accept(member);
            }
        } else {
            forEachIn(pages, action);
        }
    }

    /** The smallest member; there must be one. */
    public int first() {
        if (few != null) {
            return few[0];
        }
        for (int p = 0; p < pages.length; p++) {
            long[] page = pages[p];
            for (int i = 0; page != null && i < page.length; i++) {
                if (page[i] != 0) {
                    return p << PAGE_BITS | i << 6 | Long.numberOfTrailingZeros(page[i]);
                }
            }
        }
        throw new IllegalStateException("the set is empty");
    }

    /** The members, ascending. */
    public int[] toArray() {
        int[] all = new int[size];
        int[] at = {0};
        forEach(member -> all[at[0]++] = member);
        return all;
    }

    public void addTo(BitSet set) {
        forEach(set::set);
    }

    /** Many changes at once, each page copied once. The editor belongs to one thread and is used up by {@code done}. */
    public Editor edit() {
        return new Editor(this);
    }

    private static int longOf(int number) {
        return number >>> 6 & PAGE_LONGS - 1;
    }

    private static void forEachIn(long[] @Nullable [] pages, IntConsumer action) {
        for (int p = 0; p < pages.length; p++) {
            long[] page = pages[p];
            for (int i = 0; page != null && i < page.length; i++) {
                for (long word = page[i]; word != 0; word &= word - 1) {
                    action.accept(p << PAGE_BITS | i << 6 | Long.numberOfTrailingZeros(word));
                }
            }
        }
    }

    /** A change in the making: a sorted list until it has grown too long, then pages. */
    public static final class Editor {
        private int @Nullable [] few;
        private long[] @Nullable [] pages;
        private final BitSet owned = new BitSet();
        private int size;

        private Editor(Bits from) {
            few = from.few == null ? null : Arrays.copyOf(from.few, FEW);
            pages = from.pages.clone();
            size = from.size;
        }

        public Editor add(int number) {
            if (few != null) {
                int at = Arrays.binarySearch(few, 0, size, number);
                if (at >= 0) {
                    return this;
                }
                if (size < FEW) {
                    System.arraycopy(few, -at - 1, few, -at, size + at + 1);
                    few[-at - 1] = number;
                    size++;
                    return this;
                }
                spread(few);
            }
            long[] page = ownedPage(number >>> PAGE_BITS);
            long bit = 1L << number;
            size += (page[longOf(number)] & bit) == 0 ? 1 : 0;
            page[longOf(number)] |= bit;
            return this;
        }

        public Editor remove(int number) {
            if (few != null) {
                int at = Arrays.binarySearch(few, 0, size, number);
                if (at >= 0) {
                    System.arraycopy(few, at + 1, few, at, size - at - 1);
                    size--;
                }
                return this;
            }
            long[] page = ownedPage(number >>> PAGE_BITS);
            long bit = 1L << number;
            size -= (page[longOf(number)] & bit) == 0 ? 0 : 1;
            page[longOf(number)] &= ~bit;
            return this;
        }

        public Bits done() {
            if (size == 0) {
                return NONE;
            }
            if (few != null) {
                return new Bits(Arrays.copyOf(few, size), NONE.pages, size);
            }
            if (size > FEW) {
                return new Bits(null, pages, size);
            }
            int[] rest = new int[size];
            int[] at = {0};
            forEachIn(pages, member -> rest[at[0]++] = member);
            return new Bits(rest, NONE.pages, size);
        }

        private void spread(int[] members) {
            few = null;
            for (int member : members) {
                ownedPage(member >>> PAGE_BITS)[longOf(member)] |= 1L << member;
            }
        }

        private long[] ownedPage(int p) {
            if (p >= pages.length) {
                pages = Arrays.copyOf(pages, p + 1);
            }
            long[] page = pages[p];
            if (page != null && owned.get(p)) {
                return page;
            }
            long[] mine = page == null ? new long[PAGE_LONGS] : page.clone();
            pages[p] = mine;
            owned.set(p);
            return mine;
        }
    }
}
