package dev.homeport.server.poll.wire;

import dev.homeport.server.http.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A reply as one run of bytes, so that it goes out in one write. */
final class ReplyBytes {
    private static final byte[] OK_JSON = ascii("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n");
    private static final byte[] ALWAYS = ascii("Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] LENGTH = ascii("Content-Length: ");
    private static final byte[] END_OF_LINE = ascii("\r\n");

    /** More than a head takes. */
    private static final int ROOM = 384;

    private ReplyBytes() {}

    static ByteBuf of(Reply reply, ByteBufAllocator allocator, boolean withBody, boolean closes) {
        byte[] body = reply.body();
        ByteBuf out = allocator.ioBuffer(ROOM + (withBody ? body.length : 0));
        if (reply.status() == 200 && reply.contentType().equals(Reply.JSON)) {
            out.writeBytes(OK_JSON);
        } else {
            text(out, "HTTP/1.1 " + HttpResponseStatus.valueOf(reply.status()) + "\r\n");
            header(out, "Content-Type", reply.contentType());
        }
        out.writeBytes(ALWAYS);
        for (Map.Entry<String, String> header : reply.headers().entrySet()) {
            header(out, header.getKey(), header.getValue());
        }
        if (closes) {
            out.writeBytes(CLOSE);
        }
        out.writeBytes(LENGTH);
        text(out, Integer.toString(body.length));
        out.writeBytes(END_OF_LINE);
        out.writeBytes(END_OF_LINE);
        return withBody ? out.writeBytes(body) : out;
    }

    private static void header(ByteBuf out, String name, String value) {
        text(out, name);
        out.writeByte(':').writeByte(' ');
        text(out, value);
        out.writeBytes(END_OF_LINE);
    }

    private static void text(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.ISO_8859_1);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
