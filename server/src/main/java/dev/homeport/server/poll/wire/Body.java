package dev.homeport.server.poll.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The body of a request, on its way in. */
sealed interface Body {
    /** Where it stands. */
    enum State {
        MORE_TO_COME,
        WHOLE,
        TOO_LARGE,
        MALFORMED
    }

    /** Takes from the buffer what is the body's. */
    State take(ByteBuf in);

    /** How much memory it uses, which follows what has arrived and not what was announced. */
    int capacity();

    byte[] bytes();

    void release();

    /** As long as was announced. */
    final class Counted implements Body {
        private static final int FIRST = 1024;

        private final int length;
        private byte[] bytes;
        private int have;

        Counted(int length) {
            this.length = length;
            this.bytes = new byte[Math.min(length, FIRST)];
        }

        @Override
        public State take(ByteBuf in) {
            int more = Math.min(in.readableBytes(), length - have);
            if (have + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, Math.max(have + more, 2L * bytes.length)));
            }
            in.readBytes(bytes, have, more);
            have += more;
            return have == length ? State.WHOLE : State.MORE_TO_COME;
        }

        @Override
        public int capacity() {
            return bytes.length;
        }

        @Override
        public byte[] bytes() {
            return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
        }

        @Override
        public void release() {}
    }

    /** In chunks, which Netty's decoder reads. It takes all there is, so nothing can follow on the same connection. */
    final class Chunked implements Body {
        private static final byte[] HEAD =
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        /** What the decoder needs for itself, roughly. */
        private static final int DECODER = 4 * 1024;

        private final EmbeddedChannel decoder = new EmbeddedChannel(new HttpRequestDecoder());
        private final ByteBuf whole = Unpooled.buffer();
        private final int limit;

        Chunked(int limit) {
            this.limit = limit;
            decoder.writeInbound(Unpooled.wrappedBuffer(HEAD));
            decoder.readInbound();
        }

        @Override
        public State take(ByteBuf in) {
            decoder.writeInbound(in.readBytes(in.readableBytes()));
            State state = State.MORE_TO_COME;
            while (state == State.MORE_TO_COME && decoder.readInbound() instanceof HttpContent part) {
                try {
                    state = take(part);
                } finally {
                    part.release();
                }
            }
            return state;
        }

        private State take(HttpContent part) {
            if (part.decoderResult().isFailure()) {
                return State.MALFORMED;
            }
            if (whole.readableBytes() + part.content().readableBytes() > limit) {
                return State.TOO_LARGE;
            }
            whole.writeBytes(part.content());
            return part instanceof LastHttpContent ? State.WHOLE : State.MORE_TO_COME;
        }

        @Override
        public int capacity() {
            return DECODER + whole.capacity();
        }

        @Override
        public byte[] bytes() {
            byte[] bytes = new byte[whole.readableBytes()];
            whole.getBytes(whole.readerIndex(), bytes);
            return bytes;
        }

        @Override
        public void release() {
            try {
                decoder.finishAndReleaseAll();
            } finally {
                whole.release();
            }
        }
    }
}
