package dev.homeport.server.poll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestHeadTest {
    private final RequestHead head = new RequestHead();
    private final byte[] bytes = new byte[RequestHead.MAX_BYTES + 64];

    private int read(String text) {
        byte[] given = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = Math.min(given.length, bytes.length);
        System.arraycopy(given, 0, bytes, 0, length);
        return head.read(bytes, length);
    }

    private static String request(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    @Test
    void findsWhatIsThere() {
        String text = String.join(
                "\r\n",
                "GET /a?b=c HTTP/1.1",
                "Host: x",
                "AUTHORIZATION:Bearer t ",
                "x-forwarded-for: 1.2.3.4",
                "accept-encoding:\tgzip, br",
                "X-Forwarded-For:5.6.7.8",
                "",
                "");
        assertThat(read(text + "GET /next")).isEqualTo(text.length());
        assertThat(head.method()).isEqualTo("GET");
        assertThat(head.path()).isEqualTo("/a");
        assertThat(head.query()).isEqualTo("b=c");
        assertThat(head.header("authorization")).isEqualTo("Bearer t");
        assertThat(head.header("accept-encoding")).isEqualTo("gzip, br");
        assertThat(head.header("user-agent")).isNull();
        assertThat(head.headers("x-forwarded-for")).containsExactly("1.2.3.4", "5.6.7.8");
        assertThat(head.header("x-forwarded")).isNull();
        assertThat(head.keepsAlive()).isTrue();
        assertThat(head.hasBody()).isFalse();
        assertThat(read("GET / HTTP/1.0\r\n\r\n")).isPositive();
        assertThat(head.header("authorization"))
                .as("nothing is left of the request before")
                .isNull();
        assertThat(head.headers("host")).isEmpty();
        assertThat(head.keepsAlive()).isFalse();
    }

    @Test
    void everyFormOfATarget() {
        for (String target :
                List.of("/p", "http://host/p", "HTTPS://host:443/p", "/p?", "http://host/p?x=http://y/z")) {
            assertThat(read(request(target))).as(target).isPositive();
            assertThat(head.path()).as(target).isEqualTo("/p");
        }
        assertThat(head.query()).isEqualTo("x=http://y/z");
        for (String target :
                List.of("*", "http://host", "https://host?x", "host:443", "p", "ftp://host/p", "http:/p")) {
            assertThat(read(request(target))).as(target).isPositive();
            assertThat(head.path()).as(target).isNull();
            assertThat(head.query()).as(target).isNull();
        }
        assertThat(read(request("//p/q"))).isPositive();
        assertThat(head.path()).isEqualTo("//p/q");
    }

    @Test
    void whetherTheConnectionStays() {
        String one = "GET / HTTP/1.1\r\nHost: x\r\n";
        String old = "GET / HTTP/1.0\r\n";
        for (String close :
                List.of("close", "Close", "keep-alive, close", "x,close", "close\r\nConnection: keep-alive")) {
            assertThat(read(one + "Connection: " + close + "\r\n\r\n"))
                    .as(close)
                    .isPositive();
            assertThat(head.keepsAlive()).as(close).isFalse();
        }
        assertThat(read(one + "Connection: upgrade\r\n\r\n")).isPositive();
        assertThat(head.keepsAlive()).isTrue();
        assertThat(read(old + "Connection: Keep-Alive\r\n\r\n")).isPositive();
        assertThat(head.keepsAlive()).isTrue();
    }

    @Test
    void everyBeginningIsIncomplete() {
        String good = "\r\nGET /a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nContent-Length: 0\r\n\r\n";
        for (int length = 0; length < good.length(); length++) {
            assertThat(read(good.substring(0, length))).isEqualTo(RequestHead.INCOMPLETE);
        }
        assertThat(read(good)).isEqualTo(good.length());
    }
}
