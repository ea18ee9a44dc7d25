package dev.homeport.server.http;

import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What a request says, whichever server took it. Valid only while it is being answered, on the thread that does. */
public interface RequestView {
    /** In capitals, as it was sent. */
    String method();

    /** As it was sent, without the query; nothing when the request names none, as {@code OPTIONS *} does. */
    @Nullable
    String path();

    @Nullable
    String query();

    /** The first value of a header, by its name in small letters. */
    @Nullable
    String header(String name);

    /** All values of a header, in order. */
    List<String> headers(String name);

    /** The address of the connected client. */
    String peer();

    /** The client's address by the PROXY protocol; the peer's own without it. */
    String proxied();

    /** Nothing without TLS. */
    @Nullable
    SSLSession session();
}
