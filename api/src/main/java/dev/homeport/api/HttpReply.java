package dev.homeport.api;

import java.io.InputStream;
import java.util.Map;

/** Status, headers with names in lower case, and a body to be read once. */
record HttpReply(int status, Map<String, String> headers, InputStream body) {
    boolean isSuccess() {
        return status / 100 == 2;
    }
}
