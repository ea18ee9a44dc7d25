package dev.homeport.server.poll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BodyTest {
    private static final int LONG = 256 * 1024;

    private static ByteBuf bytes(int count) {
        return Unpooled.copiedBuffer("x".repeat(count), StandardCharsets.US_ASCII);
    }

    @Test
    void memoryFollowsWhatArrivesAndNotWhatIsAnnounced() {
        Body body = new Body.Counted(LONG);
        assertThat(body.capacity()).isLessThan(4096);
        assertThat(body.take(bytes(3000))).isEqualTo(Body.State.MORE_TO_COME);
        assertThat(body.capacity()).isBetween(3000, 6000);
        int had = 3000;
        while (had < LONG) {
            int more = Math.min(2048, LONG - had);
            had += more;
            assertThat(body.take(bytes(more))).isEqualTo(had == LONG ? Body.State.WHOLE : Body.State.MORE_TO_COME);
            assertThat(body.capacity()).isLessThanOrEqualTo(Math.min(LONG, 2 * had));
        }
        assertThat(new String(body.bytes(), StandardCharsets.US_ASCII)).isEqualTo("x".repeat(LONG));
    }

    @Test
    void whatFollowsTheBodyIsLeft() {
        Body body = new Body.Counted(5);
        ByteBuf in = bytes(8);
        assertThat(body.take(in)).isEqualTo(Body.State.WHOLE);
        assertThat(in.readableBytes()).isEqualTo(3);
        assertThat(body.bytes()).hasSize(5);
    }
}
