package dev.homeport.server.poll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Millions of heads, most of them spoilt, read by us and by Netty's own decoder: what we take, it must read the same way. */
@Tag("properties")
class RequestHeadProperties {
    private static final List<String> PIECES = List.of(
            "GET ",
            "HEAD ",
            "POST ",
            "/health",
            "/a?b=c",
            "http://h/p",
            "*",
            " HTTP/1.1",
            " HTTP/1.0",
            " HTTP/2.0",
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            " ",
            "\t",
            "\0",
            ":",
            ",",
            "Host: x\r\n",
            "Host:y\r\n",
            "Content-Length: 5\r\n",
            "Content-Length: 0\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: 5, 5\r\n",
            "Content-Length : 5\r\n",
            "content-length:7\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: identity\r\n",
            "Transfer-Encoding: chunked, gzip\r\n",
            "Transfer-Encoding:\u000bchunked\r\n",
            " folded\r\n",
            "Connection: close\r\n",
            "Connection: keep-alive\r\n",
            "Authorization: Bearer t\r\n",
            "Expect: 100-continue\r\n",
            "X: \u00ff\u0080\r\n",
            "X-Y: a b\t c \r\n",
            "#",
            "%0d%0a",
            "\u00a0");

    private final RequestHead head = new RequestHead();
    private final byte[] scratch = new byte[RequestHead.MAX_BYTES + 64];
    private int taken;
    private int refused;

    /** A good head, with a few things done to it. */
    private static byte[] spoilt(Random random) {
        StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "" : "GET /a?b=c HTTP/1.1\r\nHost: x\r\n");
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        text.append("\r\n");
        for (int i = random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(text.length() + 1);
            switch (random.nextInt(3)) {
                case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> text.insert(at, (char) random.nextInt(256));
                default -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(3)));
            }
        }
        return text.append(random.nextBoolean() ? "" : "\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static @Nullable HttpRequest byNetty(byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        Object first = channel.readInbound();
        HttpRequest request = first instanceof HttpRequest one ? one : null;
        for (Object more = channel.readInbound(); more != null; more = channel.readInbound()) {
            ReferenceCountUtil.release(more);
        }
        channel.finishAndReleaseAll();
        return request;
    }

    private void compare(byte[] bytes) {
        System.arraycopy(bytes, 0, scratch, 0, bytes.length);
        int end = head.read(scratch, bytes.length);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(end).as(text).isBetween(RequestHead.REFUSED, bytes.length).isNotZero();
        if (end < 0) {
            refused += end == RequestHead.REFUSED ? 1 : 0;
            return;
        }
        taken++;
        HttpRequest other = byNetty(bytes);
        assertThat(other).as(text).isNotNull();
        assertThat(other.decoderResult().isSuccess())
                .as("Netty refuses what we take: %s", text)
                .isTrue();
        assertThat(head.method()).as(text).isEqualTo(other.method().name());
        assertThat(head.length()).as(text).isEqualTo(HttpUtil.getContentLength(other, 0L));
        assertThat(head.isChunked()).as(text).isEqualTo(HttpUtil.isTransferEncodingChunked(other));
        assertThat(head.keepsAlive()).as(text).isEqualTo(HttpUtil.isKeepAlive(other));
        assertThat(head.waitsForConsent()).as(text).isEqualTo(HttpUtil.is100ContinueExpected(other));
        assertThat(head.header("host")).as(text).isEqualTo(other.headers().get("Host"));
        assertThat(head.header("authorization"))
                .as(text)
                .isEqualTo(other.headers().get("Authorization"));
        assertThat(head.headers("x-y")).as(text).isEqualTo(other.headers().getAll("X-Y"));
        if (other.uri().startsWith("/")) {
            String query = head.query();
            assertThat(head.path() + (query == null ? "" : "?" + query))
                    .as(text)
                    .isEqualTo(other.uri());
        }
        if (other.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            assertThat(other.headers().getAll("Host")).as(text).hasSize(1);
        }
    }

    @Test
    void whatWeTakeNettyReadsTheSameWay() {
        int times = "long".equals(System.getProperty("homeport.depth")) ? 5_000_000 : 300_000;
        Random random = new Random(4);
        for (int i = 0; i < times; i++) {
            compare(spoilt(random));
        }
        assertThat(taken).as("taken").isGreaterThan(times / 20);
        assertThat(refused).as("refused").isGreaterThan(times / 4);
    }

    @Test
    void anyBytesAtAll() {
        Random random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            compare(bytes);
        }
    }

    /** However the bytes arrive, a head is whole at the same place. */
    @Test
    void whereABeginningEndsDoesNotMatter() {
        Random random = new Random(6);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = spoilt(random);
            System.arraycopy(bytes, 0, scratch, 0, bytes.length);
            int whole = head.read(scratch, bytes.length);
            for (int n = 0; n < 5; n++) {
                int part = head.read(scratch, random.nextInt(bytes.length + 1));
                assertThat(part).isIn(RequestHead.INCOMPLETE, whole);
            }
        }
    }

    /** Bodies in chunks, however they are cut. */
    @Test
    void chunksAreReadHoweverTheyAreCut() {
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            StringBuilder wire = new StringBuilder();
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(5); n > 0; n--) {
                String part = "x".repeat(1 + random.nextInt(40));
                text.append(part);
                wire.append(Integer.toHexString(part.length()))
                        .append("\r\n")
                        .append(part)
                        .append("\r\n");
            }
            ByteBuf in = Unpooled.copiedBuffer(wire.append("0\r\n\r\n"), StandardCharsets.US_ASCII);
            Body body = new Body.Chunked(1000);
            Body.State state = Body.State.MORE_TO_COME;
            while (in.isReadable()) {
                assertThat(state).isEqualTo(Body.State.MORE_TO_COME);
                ByteBuf part = in.readSlice(1 + random.nextInt(in.readableBytes()));
                state = body.take(part);
            }
            assertThat(state).isEqualTo(Body.State.WHOLE);
            assertThat(new String(body.bytes(), StandardCharsets.US_ASCII)).isEqualTo(text.toString());
            body.release();
            in.release();
        }
    }
}
