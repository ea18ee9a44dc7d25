package dev.homeport.server.poll.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;

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

    byte[] bytes();

    void release();

    /** As long as was announced. */
    final class Counted implements Body {
        private final byte[] bytes;
        private int have;

        Counted(int length) {
            bytes = new byte[length];
        }

        @Override
        public State take(ByteBuf in) {
            int more = Math.min(in.readableBytes(), bytes.length - have);
            in.readBytes(bytes, have, more);
            have += more;
            return have == bytes.length ? State.WHOLE : State.MORE_TO_COME;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public void release() {}
    }

    /** In chunks, which Netty's decoder reads. It takes all there is, so nothing can follow on the same connection. */
    final class Chunked implements Body {
        private static final byte[] HEAD =
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

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
                state = take(part);
                part.release();
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
        public byte[] bytes() {
            byte[] bytes = new byte[whole.readableBytes()];
            whole.getBytes(whole.readerIndex(), bytes);
            return bytes;
        }

        @Override
        public void release() {
            decoder.finishAndReleaseAll();
            whole.release();
        }
    }
}
