package dev.homeport.server.poll.wire;

import dev.homeport.api.ErrorCode;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.http.ByteBudget;
import dev.homeport.server.http.ConnectionSlot;
import dev.homeport.server.http.ConnectionTimeouts;
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
 * One connection: requests in, replies out in the same order. A client that does not finish a request in time, or does not
 * read its answer, is disconnected.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty tells this handler what fails
final class PollConnection extends ChannelInboundHandlerAdapter implements RequestView {
    private static final Logger LOG = LoggerFactory.getLogger(PollConnection.class);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** How much may wait here while an answer is being made. */
    private static final int MOST_HELD = 64 * 1024;

    private final Loop loop;
    private final PollServer.Plane plane;
    private @Nullable ChannelHandlerContext context;
    private final String peer;
    private @Nullable String proxied;

    /** Where it is in the loop's list. */
    int place;

    /** Until when a request has to be whole, or an answer made or taken. */
    private long until;

    private @Nullable ConnectionSlot slot;

    /** For the part of a request that is kept here, once there is any. */
    private ByteBudget.@Nullable Lease keeping;

    /** For an answer that is not taken at once. */
    private ByteBudget.@Nullable Lease answering;

    private @Nullable ByteBuf held;

    /** The rest of the first answer, if it could not be sent at once. */
    private @Nullable ByteBuf rest;

    private @Nullable Report report;
    private boolean heard;
    private boolean allIn;
    private boolean waiting;
    private boolean ending;

    /** An event that is being posted. */
    private record Report(EventDoor.Envelope envelope, Body body, boolean last, ByteBudget.Lease lease) {
        void drop() {
            try {
                body.release();
            } finally {
                lease.close();
            }
        }
    }

    PollConnection(Loop loop, PollServer.Plane plane, String peer) {
        this.loop = loop;
        this.plane = plane;
        this.peer = peer;
    }

    /** Takes a place among the connections that are allowed; false if all places are taken. */
    boolean admit() {
        slot = plane.limits().admit(peer, loop.makeRoom);
        return slot != null;
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
        // Released with the connection, should the write fail.
        rest = out;
        int ready = out.readableBytes();
        ByteBuffer view = out.internalNioBuffer(out.readerIndex(), ready);
        int written = socket.write(view, view.position(), view.limit());
        if (written == ready) {
            rest = null;
            out.release();
            return last;
        }
        out.skipBytes(Math.max(0, written));
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
        until = System.nanoTime() + plane.timeouts().head().toNanos();
        ByteBuf unsent = rest;
        if (unsent != null) {
            rest = null;
            patientFor(unsent.readableBytes());
            ctx.writeAndFlush(unsent)
                    .addListener(ending ? ChannelFutureListener.CLOSE : ChannelFutureListener.CLOSE_ON_FAILURE);
        }
        if (held != null) {
            serve(ctx);
            ctx.flush();
            keep(ctx);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        gone();
    }

    /** Gives back everything, once the socket is closed or was never used. May be called more than once. */
    void gone() {
        if (context != null) {
            loop.remove(this);
            context = null;
        }
        try {
            drop();
        } finally {
            if (answering != null) {
                answering.close();
            }
            if (keeping != null) {
                keeping.close();
            }
            if (slot != null) {
                slot.close();
            }
        }
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
        keep(ctx);
    }

    /** Counts the bytes that wait here for the rest of a request, and refuses the request when there are too many of them. */
    private void keep(ChannelHandlerContext ctx) {
        int bytes = held == null ? 0 : held.capacity();
        if (keeping == null) {
            if (bytes == 0 || slot == null) {
                return;
            }
            keeping = slot.lease();
        }
        if (!keeping.resize(bytes)) {
            send(ctx, plane.limits().bytes().exhausted(), new Sending(true, true, true));
            ctx.flush();
            keeping.resize(0);
        }
    }

    private void takeOrigin(HAProxyMessage proxy) {
        AddressFamily family = proxy.proxiedProtocol().addressFamily();
        if (family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6) {
            proxied = proxy.sourceAddress();
        }
        proxy.release();
        // Only proxies that are trusted are believed, so a client cannot choose its own address.
        if (proxied != null && slot != null && plane.limits().isProxy(peer) && !slot.rename(proxied)) {
            cut();
        }
    }

    private ByteBuf join(ByteBuf before, ByteBuf more) {
        if (before.writableBytes() >= more.readableBytes()) {
            before.writeBytes(more);
            more.release();
            return before;
        }
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
        boolean isWritable = ctx.channel().isWritable();
        if (answering == null) {
            answering = plane.limits().answers();
        }
        if (!answering.resize(isWritable ? 0 : pending(ctx))) {
            cut();
        } else if (!isWritable) {
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
            // The client has sent everything, but may still be reading.
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
        if (!arriving.lease().resize(arriving.body().capacity())) {
            send(ctx, plane.limits().bytes().exhausted(), new Sending(true, true, true));
            return;
        }
        switch (state) {
            case MORE_TO_COME -> {}
            case WHOLE -> deliver(ctx, arriving);
            case TOO_LARGE -> send(ctx, EventDoor.tooLarge(), new Sending(true, true, true));
            case MALFORMED -> refuse(ctx, 400);
        }
    }

    /** The bytes count until the event is answered, also when its sender does not wait for that. */
    private void deliver(ChannelHandlerContext ctx, Report whole) {
        byte[] bytes = whole.body().bytes();
        report = null;
        whole.body().release();
        try {
            waitFor(
                    ctx,
                    whole.last(),
                    true,
                    then -> plane.polls().events().deliver(whole.envelope(), bytes, reply -> {
                        whole.lease().close();
                        then.accept(reply);
                    }));
        } catch (Throwable e) {
            whole.lease().close();
            throw e;
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
            ctx.writeAndFlush(Unpooled.wrappedBuffer(CONTINUE)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
        until = System.nanoTime() + plane.timeouts().body().toNanos();
        boolean last = loop.head.isChunked() || isLast();
        Body body = loop.head.isChunked()
                ? new Body.Chunked(EventDoor.MAX_BODY)
                : new Body.Counted((int) loop.head.length());
        report = new Report(
                envelope,
                body,
                last,
                Objects.requireNonNull(slot, "not admitted").lease());
    }

    /** Nothing else is done on this connection until the answer is there. */
    private void waitFor(ChannelHandlerContext ctx, boolean last, boolean withBody, Consumer<Consumer<Reply>> asking) {
        waiting = true;
        until = System.nanoTime() + plane.timeouts().answer().toNanos();
        asking.accept(reply -> ctx.executor().execute(() -> {
            waiting = false;
            if (context == null) {
                return;
            }
            try {
                send(ctx, reply, new Sending(withBody, last || loop.draining(), false));
                goOn(ctx);
            } catch (Throwable e) {
                exceptionCaught(ctx, e);
            }
        }));
    }

    private boolean isLast() {
        return loop.draining() || !loop.head.keepsAlive();
    }

    private void refuse(ChannelHandlerContext ctx, int status) {
        ErrorCode code = status == 400 ? ErrorCode.MALFORMED : ErrorCode.TOO_LARGE;
        Reply told = ProblemReply.of(code, "malformed or unsupported HTTP request", "send a plain GET", "");
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
            sent.addListener(done -> {
                if (done.isSuccess()) {
                    linger(ctx);
                } else {
                    cut();
                }
            });
        } else if (sent.isDone()) {
            ctx.close();
        } else {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Closing at once would reset the connection, and a client that is still sending might never see the answer. */
    private void linger(ChannelHandlerContext ctx) {
        until = System.nanoTime() + plane.timeouts().linger().toNanos();
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (ctx.channel() instanceof DuplexChannel channel) {
            channel.shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
    }

    private void patientFor(long bytes) {
        ConnectionTimeouts timeouts = plane.timeouts();
        until = System.nanoTime()
                + timeouts.head().toNanos()
                + TimeUnit.SECONDS.toNanos(bytes / timeouts.bytesPerSecond());
    }

    /** Gives back what it holds of a request. */
    private void drop() {
        ByteBuf in = held;
        if (in != null) {
            held = null;
            in.release();
        }
        Report arriving = report;
        if (arriving != null) {
            report = null;
            arriving.drop();
        }
        ByteBuf unsent = rest;
        if (unsent != null) {
            rest = null;
            unsent.release();
        }
    }

    private void dropIfRead(ByteBuf in) {
        if (!in.isReadable()) {
            held = null;
            in.release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        try {
            if (cause instanceof IOException) {
                LOG.debug("a connection broke", cause);
            } else if (cause instanceof DecoderException) {
                failed(cause);
            } else {
                LOG.error("a connection failed", cause);
            }
        } finally {
            waiting = false;
            until = System.nanoTime() + plane.timeouts().linger().toNanos();
            ctx.close();
        }
    }

    /** Before its first request, and counted once. */
    private void failed(Throwable cause) {
        if (!heard) {
            heard = true;
            plane.failures().failed(cause);
        }
    }

    void cutIfLate(long now) {
        if (now - until > 0) {
            cut();
        }
    }

    /** Closes it now, not by way of TLS, which would wait until its last words are taken. */
    void cut() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.channel().unsafe().close(ctx.voidPromise());
        }
    }

    /** An answer that is being made is waited for. */
    boolean canBeEvicted() {
        return !waiting;
    }

    /** A connection between two requests is missed less than one within a request, and an old one less than a new one. */
    boolean isMissedLessThan(PollConnection other) {
        int mine = progress();
        int its = other.progress();
        return mine < its || mine == its && until - other.until < 0;
    }

    private int progress() {
        if (context == null || pending(context) > 0) {
            return 3;
        }
        if (report != null) {
            return 2;
        }
        return held == null && heard || ending ? 0 : 1;
    }

    void closeIfIdle() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context, "not open");
        if (held == null && report == null && !waiting && pending(ctx) == 0) {
            ctx.close();
        }
    }

    /** The client has its whole answer, and has stopped sending what would be discarded. */
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
