package dev.homeport.server.poll.wire;

import dev.homeport.server.http.ByteBudget;
import dev.homeport.server.http.ConnectionSlot;
import dev.homeport.server.http.Connections;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Stands before another server's decoder of HTTP/1.1 and lets through only what the poll plane would take: heads that can be
 * read in one way, and chunks without extensions or trailers. What is refused reaches the decoder as a request that is
 * malformed for certain, so that its answer has its turn after those of earlier requests.
 */
public final class StrictHeads extends ChannelInboundHandlerAdapter {
    private static final ByteBuf MALFORMED = Unpooled.unreleasableBuffer(
            Unpooled.wrappedBuffer("GET / HTTP/1.1\r\n\u0000: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));

    /** Requests that may wait for their turn on one connection. */
    private static final int MOST_WAITING = 64;

    private static final int TOO_MANY = 429;

    private static final FastThreadLocal<Reader> READER = new FastThreadLocal<>() {
        @Override
        protected Reader initialValue() {
            return new Reader(new RequestHead(), new byte[RequestHead.MAX_BYTES + 64]);
        }
    };

    private @Nullable ByteBuf held;
    private ByteBudget.@Nullable Lease keeping;
    private long left;
    private @Nullable ChunkScanner chunks;
    private boolean ended;

    /** What all connections of a thread share. */
    private record Reader(RequestHead head, byte[] scratch) {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = join(ctx, (ByteBuf) message);
        held = in;
        boolean more = true;
        while (more && held != null && in.isReadable()) {
            ended |= Connections.isDiscarding(ctx.channel());
            more = !ended && pass(ctx, in);
        }
        if (held != null && (ended || !in.isReadable())) {
            drop();
        }
        if (!keep(ctx)) {
            ended = true;
            drop();
            var _ = ctx.close();
        }
    }

    private ByteBuf join(ChannelHandlerContext ctx, ByteBuf more) {
        ByteBuf before = held;
        if (before == null) {
            return more;
        }
        ByteBuf both = before;
        if (before.writableBytes() < more.readableBytes()) {
            both = ctx.alloc().buffer(2 * (before.readableBytes() + more.readableBytes()));
            both.writeBytes(before);
            before.release();
        }
        both.writeBytes(more);
        more.release();
        return both;
    }

    /** False when more has to arrive first. */
    private boolean pass(ChannelHandlerContext ctx, ByteBuf in) {
        if (left > 0) {
            int now = (int) Math.min(left, in.readableBytes());
            left -= now;
            ctx.fireChannelRead(in.readRetainedSlice(now));
            return true;
        }
        ChunkScanner scanner = chunks;
        if (scanner == null) {
            return head(ctx, in);
        }
        int now = scanner.scan(in);
        if (now < 0) {
            ended = true;
            var _ = ctx.close();
            return false;
        }
        if (scanner.isAtEnd()) {
            chunks = null;
        }
        ctx.fireChannelRead(in.readRetainedSlice(now));
        return true;
    }

    private boolean head(ChannelHandlerContext ctx, ByteBuf in) {
        Reader reader = READER.get();
        int length = Math.min(in.readableBytes(), reader.scratch().length);
        in.getBytes(in.readerIndex(), reader.scratch(), 0, length);
        int end = reader.head().read(reader.scratch(), length);
        if (end == RequestHead.INCOMPLETE) {
            return false;
        }
        boolean isRefused = end == RequestHead.REFUSED;
        if (isRefused || Connections.asked(ctx.channel()) > MOST_WAITING) {
            ended = true;
            Connections.refuse(ctx.channel(), isRefused ? reader.head().refusal() : TOO_MANY);
            ctx.fireChannelRead(MALFORMED.duplicate());
            return false;
        }
        left = reader.head().length();
        chunks = reader.head().isChunked() ? new ChunkScanner() : null;
        ctx.fireChannelRead(in.readRetainedSlice(end));
        return true;
    }

    /** Counts what waits here for the rest of a head; false when there is no memory for it. */
    private boolean keep(ChannelHandlerContext ctx) {
        int bytes = held == null ? 0 : held.capacity();
        if (keeping == null) {
            if (bytes == 0) {
                return true;
            }
            keeping =
                    ConnectionSlot.of(ctx.channel()).map(ConnectionSlot::lease).orElse(null);
        }
        return keeping == null || keeping.resize(bytes);
    }

    private void drop() {
        ByteBuf in = held;
        if (in != null) {
            held = null;
            in.release();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        ended = true;
        drop();
        if (keeping != null) {
            keeping.close();
        }
    }
}
