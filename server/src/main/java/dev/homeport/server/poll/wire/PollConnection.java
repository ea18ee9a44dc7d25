package dev.homeport.server.poll.wire;

import dev.homeport.api.ErrorCode;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.poll.PollListener;
import dev.homeport.server.poll.PollPath;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: requests in, replies out in the same order. Whoever does not finish a request in time, or does not take his
 * answer, is cut.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty tells this handler what fails
final class PollConnection extends ChannelInboundHandlerAdapter implements RequestView {
    private static final Logger LOG = LoggerFactory.getLogger(PollConnection.class);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final long HEAD_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long BODY_NANOS = Duration.ofSeconds(60).toNanos();

    /** How fast an answer is taken at least, on the whole. */
    private static final long BYTES_PER_SECOND = 64 * 1024;

    /** For whoever still sends what nobody reads, to get the answer that says so. */
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    /** How much may wait here while an answer is being made. */
    private static final int MOST_HELD = 64 * 1024;

    private final Loop loop;
    private final PollServer.Plane plane;
    private @Nullable ChannelHandlerContext context;
    private final String peer;
    private @Nullable String proxied;

    /** Where it is in the loop's list. */
    int place;

    /** Until when a request has to be whole, or an answer taken. */
    private long until;

    private @Nullable ByteBuf held;

    /** What of the first answer could not be sent at once. */
    private @Nullable ByteBuf rest;

    private @Nullable Report report;
    private boolean heard;
    private boolean allIn;
    private boolean waiting;
    private boolean ending;

    /** An event that is being posted. */
    private record Report(EventDoor.Envelope envelope, Body body, boolean last) {}

    PollConnection(Loop loop, PollServer.Plane plane, String peer) {
        this.loop = loop;
        this.plane = plane;
        this.peer = peer;
    }

    /**
     * Reads, and answers, before there is a channel: most connections bring one request and are done with it. Returns true
     * when they are. Otherwise the connection is to be registered, and goes on from where it is.
     */
    boolean serveAtOnce(FileDescriptor socket) throws IOException {
        ByteBuffer in = loop.direct.clear();
        int length = socket.read(in, 0, in.capacity());
        if (length <= 0) {
            return false; // nothing there yet, or nothing more to come, which the event loop will find out
        }
        in.get(0, loop.scratch, 0, length);
        if (loop.head.read(loop.scratch, length) != length || loop.head.hasBody() || !isAnsweredAtOnce()) {
            held = loop.allocator.ioBuffer(length).writeBytes(loop.scratch, 0, length);
            return false;
        }
        heard = true;
        boolean last = isLast();
        ByteBuf out = ReplyBytes.of(plane.polls().reply(this), loop.allocator, !method().equals("HEAD"), last);
        int ready = out.readableBytes();
        ByteBuffer view = out.internalNioBuffer(out.readerIndex(), ready);
        int written = socket.write(view, view.position(), view.limit());
        if (written == ready) {
            out.release();
            return last;
        }
        rest = out.skipBytes(Math.max(0, written));
        ending = last;
        return false;
    }

    private boolean isAnsweredAtOnce() {
        String target = path();
        return target == null
                || !plane.hasPage(method(), target)
                        && PollPath.eventsOf(target).isEmpty()
                        && !PollListener.isList(target);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        loop.add(this);
        until = System.nanoTime() + HEAD_NANOS;
        ByteBuf unsent = rest;
        if (unsent != null) {
            rest = null;
            patientFor(unsent.readableBytes());
            ChannelFuture sent = ctx.writeAndFlush(unsent);
            if (ending) {
                sent.addListener(ChannelFutureListener.CLOSE);
            }
        }
        if (held != null) {
            serve(ctx);
            ctx.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (context != null) {
            loop.remove(this);
            context = null;
        }
        drop();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HAProxyMessage proxy) {
            takeOrigin(proxy);
            return;
        }
        ByteBuf in = (ByteBuf) message;
        if (ending) {
            in.release();
            return;
        }
        ByteBuf before = held;
        held = before == null ? in : join(before, in);
        serve(ctx);
        if (held != null && held.readableBytes() > MOST_HELD) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    private void takeOrigin(HAProxyMessage proxy) {
        AddressFamily family = proxy.proxiedProtocol().addressFamily();
        if (family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6) {
            proxied = proxy.sourceAddress();
        }
        proxy.release();
    }

    private ByteBuf join(ByteBuf before, ByteBuf more) {
        ByteBuf both = loop.allocator.ioBuffer(before.readableBytes() + more.readableBytes());
        both.writeBytes(before).writeBytes(more);
        before.release();
        more.release();
        return both;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!ctx.channel().isWritable()) {
            ctx.channel().config().setAutoRead(false);
        } else if (!ending) {
            goOn(ctx);
        }
    }

    /** Takes up what had to wait. */
    private void goOn(ChannelHandlerContext ctx) {
        serve(ctx);
        ctx.flush();
        if (ending || waiting || !ctx.channel().isWritable()) {
            return;
        }
        if (allIn) {
            end(ctx);
        } else {
            ctx.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            failed(handshake.cause());
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            // He has sent all that he will, but may still be reading.
            allIn = true;
            if (ending) {
                endIfTold(ctx);
            } else {
                goOn(ctx);
            }
        }
    }

    /** After what is on its way out. */
    private void end(ChannelHandlerContext ctx) {
        ending = true;
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Answers the requests that have arrived, as long as their sender takes the answers. */
    private void serve(ChannelHandlerContext ctx) {
        while (held != null && !ending && !waiting && ctx.channel().isWritable()) {
            Report arriving = report;
            if (arriving != null) {
                takeBody(ctx, held, arriving);
            } else if (!takeHead(ctx, held)) {
                return;
            }
        }
    }

    private void takeBody(ChannelHandlerContext ctx, ByteBuf in, Report arriving) {
        Body.State state = arriving.body().take(in);
        dropIfRead(in);
        switch (state) {
            case MORE_TO_COME -> {}
            case WHOLE -> {
                report = null;
                waitFor(
                        ctx,
                        arriving.last(),
                        true,
                        then -> plane.polls()
                                .events()
                                .deliver(arriving.envelope(), arriving.body().bytes(), then));
                arriving.body().release();
            }
            case TOO_LARGE -> send(ctx, EventDoor.tooLarge(), new Sending(true, true, true));
            case MALFORMED -> refuse(ctx, 400);
        }
    }

    /** False when it is not whole yet. */
    private boolean takeHead(ChannelHandlerContext ctx, ByteBuf in) {
        int length = Math.min(in.readableBytes(), loop.scratch.length);
        in.getBytes(in.readerIndex(), loop.scratch, 0, length);
        int end = loop.head.read(loop.scratch, length);
        if (end == RequestHead.INCOMPLETE) {
            return false;
        }
        heard = true;
        if (end == RequestHead.REFUSED) {
            refuse(ctx, loop.head.refusal());
            return true;
        }
        in.skipBytes(end);
        dropIfRead(in);
        answer(ctx);
        return true;
    }

    private void answer(ChannelHandlerContext ctx) {
        String target = path();
        boolean withBody = !method().equals("HEAD");
        if (target != null && plane.hasPage(method(), target)) {
            waitFor(ctx, isLast(), withBody, then -> plane.pages().show(this, then));
            return;
        }
        if (target != null && !loop.head.hasBody() && PollListener.isList(target)) {
            waitFor(ctx, isLast(), withBody, then -> plane.polls().list(this, then));
            return;
        }
        Optional<String> reporting = target == null ? Optional.empty() : PollPath.eventsOf(target);
        Reply reply;
        if (reporting.isEmpty()) {
            reply = plane.polls().reply(this);
        } else {
            Optional<Reply> refusal = plane.polls().events().refusal(this);
            if (refusal.isEmpty()) {
                begin(ctx, plane.polls().events().envelope(this, reporting.get()));
                return;
            }
            reply = refusal.get();
        }
        boolean unread = loop.head.hasBody();
        send(ctx, reply, new Sending(withBody, unread || isLast(), unread));
    }

    private void begin(ChannelHandlerContext ctx, EventDoor.Envelope envelope) {
        if (!loop.head.hasBody()) {
            waitFor(ctx, isLast(), true, then -> plane.polls().events().deliver(envelope, new byte[0], then));
            return;
        }
        if (loop.head.waitsForConsent()) {
            ctx.writeAndFlush(Unpooled.wrappedBuffer(CONTINUE));
        }
        until = System.nanoTime() + BODY_NANOS;
        report = loop.head.isChunked()
                ? new Report(envelope, new Body.Chunked(EventDoor.MAX_BODY), true)
                : new Report(envelope, new Body.Counted((int) loop.head.length()), isLast());
    }

    /** Nothing else is done on this connection until the answer is there. */
    private void waitFor(ChannelHandlerContext ctx, boolean last, boolean withBody, Consumer<Consumer<Reply>> asking) {
        waiting = true;
        asking.accept(reply -> ctx.executor().execute(() -> {
            waiting = false;
            if (context != null) {
                send(ctx, reply, new Sending(withBody, last || loop.draining(), false));
                goOn(ctx);
            }
        }));
    }

    private boolean isLast() {
        return loop.draining() || !loop.head.keepsAlive();
    }

    private void refuse(ChannelHandlerContext ctx, int status) {
        ErrorCode code = status == 400 ? ErrorCode.MALFORMED : ErrorCode.TOO_LARGE;
        Reply told = ProblemReply.of(code, "this is no HTTP/1.1 request that is taken here", "send a plain GET", "");
        send(ctx, new Reply(status, told.contentType(), told.body(), told.headers()), new Sending(true, true, true));
    }

    /**
     * How an answer goes out.
     *
     * @param last whether nothing follows on the connection
     * @param unread whether its receiver may not be done sending
     */
    private record Sending(boolean withBody, boolean last, boolean unread) {}

    private void send(ChannelHandlerContext ctx, Reply reply, Sending how) {
        ByteBuf out = ReplyBytes.of(reply, loop.allocator, how.withBody(), how.last());
        patientFor(out.readableBytes());
        if (!how.last()) {
            ctx.write(out, ctx.voidPromise());
            return;
        }
        ending = true;
        drop();
        ChannelFuture sent = ctx.writeAndFlush(out);
        if (how.unread()) {
            sent.addListener(done -> linger(ctx));
        } else if (sent.isDone()) {
            ctx.close();
        } else {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Closing at once would reset the connection, and whoever still sends might never see the answer. */
    private void linger(ChannelHandlerContext ctx) {
        until = System.nanoTime() + LINGER_NANOS;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (ctx.channel() instanceof DuplexChannel channel) {
            channel.shutdownOutput();
        }
    }

    private void patientFor(long bytes) {
        until = System.nanoTime() + HEAD_NANOS + TimeUnit.SECONDS.toNanos(bytes / BYTES_PER_SECOND);
    }

    /** Gives back what it holds of a request. */
    void drop() {
        ByteBuf in = held;
        if (in != null) {
            in.release();
            held = null;
        }
        Report arriving = report;
        if (arriving != null) {
            arriving.body().release();
            report = null;
        }
        ByteBuf unsent = rest;
        if (unsent != null) {
            unsent.release();
            rest = null;
        }
    }

    private void dropIfRead(ByteBuf in) {
        if (!in.isReadable()) {
            in.release();
            held = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("a connection broke", cause);
        } else if (cause instanceof DecoderException) {
            failed(cause);
        } else {
            LOG.error("a connection failed", cause);
        }
        ctx.close();
    }

    /** Before its first request, and counted once. */
    private void failed(Throwable cause) {
        if (!heard) {
            heard = true;
            plane.failures().failed(cause);
        }
    }

    void cutIfLate(long now) {
        if (!waiting && now - until > 0) {
            ChannelHandlerContext ctx = Objects.requireNonNull(context, "not open");
            // Not by way of TLS, which would wait until he takes its last words.
            ctx.channel().unsafe().close(ctx.voidPromise());
        }
    }

    void closeIfIdle() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context, "not open");
        if (held == null && report == null && !waiting && pending(ctx) == 0) {
            ctx.close();
        }
    }

    /** He was told all there is to say, and does not send any longer what nobody reads. */
    private void endIfTold(ChannelHandlerContext ctx) {
        if (pending(ctx) == 0) {
            ctx.close();
        }
    }

    private static long pending(ChannelHandlerContext ctx) {
        var buffer = ctx.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    @Override
    public String method() {
        return loop.head.method();
    }

    @Override
    public @Nullable String path() {
        return loop.head.path();
    }

    @Override
    public @Nullable String query() {
        return loop.head.query();
    }

    @Override
    public @Nullable String header(String name) {
        return loop.head.header(name);
    }

    @Override
    public List<String> headers(String name) {
        return loop.head.headers(name);
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public String proxied() {
        return proxied == null ? peer : proxied;
    }

    @Override
    public @Nullable SSLSession session() {
        SslHandler tls = context == null ? null : context.pipeline().get(SslHandler.class);
        return tls == null ? null : tls.engine().getSession();
    }
}
