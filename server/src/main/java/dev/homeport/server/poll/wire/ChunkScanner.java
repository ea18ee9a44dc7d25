package dev.homeport.server.poll.wire;

import io.netty.buffer.ByteBuf;

/** Finds where a body in chunks ends. Extensions and trailers are refused: servers do not agree on what they mean. */
final class ChunkScanner {
    private static final int MOST_DIGITS = 8;
    private static final int RADIX = 16;

    private enum Place {
        SIZE,
        SIZE_END,
        DATA,
        DATA_RETURN,
        DATA_END,
        LAST_RETURN,
        LAST_END,
        END
    }

    private Place place = Place.SIZE;
    private int digits;
    private long left;

    boolean isAtEnd() {
        return place == Place.END;
    }

    /** How many of the readable bytes belong to the body, or -1 when it is malformed. Reads nothing. */
    int scan(ByteBuf in) {
        int from = in.readerIndex();
        int to = in.writerIndex();
        int at = from;
        while (at < to && place != Place.END) {
            if (place == Place.DATA) {
                int now = (int) Math.min(left, to - at);
                left -= now;
                at += now;
                if (left == 0) {
                    place = Place.DATA_RETURN;
                }
            } else if (!take(in.getByte(at++))) {
                return -1;
            }
        }
        return at - from;
    }

    private boolean take(byte next) {
        return switch (place) {
            case SIZE -> size(next);
            case SIZE_END -> move(next == '\n', left == 0 ? Place.LAST_RETURN : Place.DATA);
            case DATA_RETURN -> move(next == '\r', Place.DATA_END);
            case DATA_END -> move(next == '\n', Place.SIZE);
            case LAST_RETURN -> move(next == '\r', Place.LAST_END);
            case LAST_END -> move(next == '\n', Place.END);
            case DATA, END -> false;
        };
    }

    private boolean size(byte next) {
        if (next == '\r') {
            boolean any = digits > 0;
            digits = 0;
            return move(any, Place.SIZE_END);
        }
        int digit = Character.digit(next, RADIX);
        if (digits == 0) {
            left = 0;
        }
        left = left * RADIX + digit;
        return digit >= 0 && ++digits <= MOST_DIGITS;
    }

    private boolean move(boolean allowed, Place to) {
        place = to;
        return allowed;
    }
}
