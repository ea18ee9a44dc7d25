package dev.homeport.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;

/** Reads with the JDK's small HTTP client: it starts in half the time of the large one, and reading is what people wait for. */
final class QuickRead {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int READ_MILLIS = 60_000;

    private final ServerAddress address;

    QuickRead(ServerAddress address) {
        this.address = address;
    }

    HttpReply get(String path, Map<String, String> headers) {
        return get(path, headers, READ_MILLIS);
    }

    /** A stream says something every ten seconds; whoever hears nothing for a minute is not connected any more. */
    HttpReply stream(String path, Map<String, String> headers) {
        return get(path, headers, READ_MILLIS);
    }

    private HttpReply get(String path, Map<String, String> headers, int readMillis) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) address.at(path).toURL().openConnection();
            if (connection instanceof HttpsURLConnection secure) {
                address.trust().ifPresent(context -> secure.setSSLSocketFactory(context.getSocketFactory()));
            }
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setConnectTimeout(CONNECT_MILLIS);
            connection.setReadTimeout(readMillis);
            headers.forEach(connection::setRequestProperty);
            int status = connection.getResponseCode();
            address.trace().accept("GET " + path + " " + status);
            if (status < 0) {
                throw new IOException("the answer is not HTTP");
            }
            InputStream body = status / 100 == 2 ? connection.getInputStream() : connection.getErrorStream();
            return new HttpReply(status, headers(connection), body == null ? InputStream.nullInputStream() : body);
        } catch (IOException e) {
            throw address.unreachable(e);
        }
    }

    private static Map<String, String> headers(HttpURLConnection connection) {
        Map<String, String> headers = new HashMap<>();
        connection.getHeaderFields().forEach((name, values) -> {
            if (name != null) {
                headers.put(name.toLowerCase(Locale.ROOT), values.getFirst());
            }
        });
        return headers;
    }
}
