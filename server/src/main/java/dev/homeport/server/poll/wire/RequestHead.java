package dev.homeport.server.poll.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the head of an HTTP/1.1 request, strictly: whatever could be read in two ways is refused. One for each event loop,
 * used again for every request.
 */
final class RequestHead {
    static final int MAX_LINE = 8 * 1024;
    static final int MAX_BYTES = 16 * 1024;
    static final int MAX_HEADERS = 100;

    /** The head is not whole yet. */
    static final int INCOMPLETE = -1;

    /** It is no head that we take; {@link #refusal} is the status. */
    static final int REFUSED = -2;

    /** How many empty lines are forgiven before a request; RFC 9112 asks for one. */
    private static final int EMPTY_LINES = 2;

    private static final int MAX_METHOD = 20;
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final String VERSION = "HTTP/1.";
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '0'; c <= 'z'; c++) {
            TOKEN[c] = Character.isLetterOrDigit(c);
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TOKEN[c] = true;
        }
    }

    private byte[] bytes = {};
    private String method = "";
    private int targetFrom;
    private int pathFrom;
    private int pathTo;
    private int targetTo;
    private boolean isNewest;
    private int refusal;

    /** The path as text, once it was asked for. */
    private @Nullable String path;

    /** Where the marks of these headers are, or -1. */
    private int length;

    private int coding;

    /** Four for each header: where its name begins and ends, where its value does. */
    private final int[] marks = new int[4 * MAX_HEADERS];

    private int headers;

    /** Reads a head that begins at 0; returns where it ends, or {@link #INCOMPLETE} or {@link #REFUSED}. */
    int read(byte[] from, int length) {
        int start = 0;
        while (start < 2 * EMPTY_LINES && start + 1 < length && from[start] == '\r' && from[start + 1] == '\n') {
            start += 2;
        }
        int end = end(from, start, length);
        return end < 0 ? end : parse(from, start, end);
    }

    /** Where the empty line ends that ends a head. */
    private int end(byte[] from, int start, int length) {
        int line = start;
        for (int i = start; i < length; i++) {
            if (from[i] != '\n') {
                continue;
            }
            if (i == start || from[i - 1] != '\r') {
                return refuse(400);
            }
            if (line == start && i - start > MAX_LINE) {
                return refuse(414);
            }
            if (i - line == 1) {
                return i + 1 - start > MAX_BYTES ? refuse(431) : i + 1;
            }
            line = i + 1;
        }
        if (line == start && length - start > MAX_LINE) {
            return refuse(414);
        }
        return length - start > MAX_BYTES ? refuse(431) : INCOMPLETE;
    }

    private int parse(byte[] from, int start, int end) {
        bytes = from;
        headers = 0;
        path = null;
        length = -1;
        coding = -1;
        int next = requestLine(start);
        while (next >= 0 && next < end - 2) {
            if (headers == MAX_HEADERS) {
                return refuse(431);
            }
            next = header(next);
        }
        return next >= 0 && isClear() ? end : refuse(400);
    }

    /** Returns where the next line begins, or {@link #REFUSED}; as all that follow, it may rely on a line's end to come. */
    private int requestLine(int start) {
        int at = start;
        while (isToken(bytes[at])) {
            at++;
        }
        if (at == start || at - start > MAX_METHOD || bytes[at] != ' ') {
            return REFUSED;
        }
        method = is(start, at, "get") && bytes[start] == 'G' ? "GET" : text(start, at);
        targetFrom = ++at;
        while (bytes[at] > ' ' && bytes[at] < 0x7f && bytes[at] != '#') {
            at++;
        }
        targetTo = at;
        if (bytes[at] != ' ' || !takeTarget()) {
            return REFUSED;
        }
        return version(at + 1);
    }

    /** Finds the path. Proxies may name the host before it; what has no path at all is for others to answer. */
    private boolean takeTarget() {
        pathFrom = targetFrom;
        if (targetFrom == targetTo) {
            return false;
        }
        if (bytes[targetFrom] != '/') {
            int scheme =
                    is(targetFrom, targetFrom + 7, "http://") ? 7 : is(targetFrom, targetFrom + 8, "https://") ? 8 : 0;
            pathFrom = targetFrom + scheme;
            while (scheme > 0 && pathFrom < targetTo && bytes[pathFrom] != '/') {
                pathFrom++;
            }
            if (scheme == 0 || pathFrom == targetTo) {
                pathFrom = -1;
                return true;
            }
        }
        pathTo = pathFrom;
        while (pathTo < targetTo && bytes[pathTo] != '?') {
            pathTo++;
        }
        return true;
    }

    private int version(int at) {
        for (int i = 0; i < VERSION.length(); i++) {
            if (bytes[at + i] != VERSION.charAt(i)) {
                return REFUSED;
            }
        }
        int minor = at + VERSION.length();
        isNewest = bytes[minor] == '1';
        boolean known = isNewest || bytes[minor] == '0';
        return known && bytes[minor + 1] == '\r' && bytes[minor + 2] == '\n' ? minor + 3 : REFUSED;
    }

    private int header(int start) {
        int colon = start;
        while (isToken(bytes[colon])) {
            colon++;
        }
        if (colon == start || bytes[colon] != ':') {
            return REFUSED;
        }
        int from = colon + 1;
        while (bytes[from] == ' ' || bytes[from] == '\t') {
            from++;
        }
        int at = from;
        // Bytes from 0x80 are negative here; they are allowed.
        while (bytes[at] >= ' ' && bytes[at] != 0x7f || bytes[at] < 0 || bytes[at] == '\t') {
            at++;
        }
        if (bytes[at] != '\r' || bytes[at + 1] != '\n') {
            return REFUSED;
        }
        int to = at;
        while (to > from && (bytes[to - 1] == ' ' || bytes[to - 1] == '\t')) {
            to--;
        }
        int mark = 4 * headers++;
        marks[mark] = start;
        marks[mark + 1] = colon;
        marks[mark + 2] = from;
        marks[mark + 3] = to;
        return at + 2;
    }

    /** Whether it says once, or not at all, where the request goes, who sends it and how long it is. */
    private boolean isClear() {
        int host = 0;
        int authorization = 0;
        for (int mark = 0; mark < 4 * headers; mark += 4) {
            if (isNamed(mark, "host")) {
                host++;
            } else if (isNamed(mark, "authorization")) {
                authorization++;
            } else if (isNamed(mark, "content-length")) {
                if (length >= 0 || !isNumber(marks[mark + 2], marks[mark + 3])) {
                    return false;
                }
                length = mark;
            } else if (isNamed(mark, "transfer-encoding")) {
                if (coding >= 0 || !isNewest || !is(marks[mark + 2], marks[mark + 3], "chunked")) {
                    return false;
                }
                coding = mark;
            }
        }
        return host <= 1 && (host == 1 || !isNewest) && authorization <= 1 && (length < 0 || coding < 0);
    }

    private boolean isNumber(int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] < '0' || bytes[at] > '9') {
                return false;
            }
        }
        return from < to && to - from <= MAX_LENGTH_DIGITS;
    }

    private int refuse(int status) {
        refusal = status;
        return REFUSED;
    }

    private static boolean isToken(byte b) {
        return b >= 0 && TOKEN[b];
    }

    private boolean isNamed(int mark, String name) {
        return is(marks[mark], marks[mark + 1], name);
    }

    /** Compares with small letters, without regard to case. */
    private boolean is(int from, int to, String small) {
        if (to - from != small.length()) {
            return false;
        }
        for (int i = 0; i < small.length(); i++) {
            byte b = bytes[from + i];
            if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != small.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    String method() {
        return method;
    }

    @Nullable
    String path() {
        if (path == null && pathFrom >= 0) {
            path = text(pathFrom, pathTo);
        }
        return path;
    }

    @Nullable
    String query() {
        return pathFrom < 0 || pathTo == targetTo ? null : text(pathTo + 1, targetTo);
    }

    /** The first value of a header, by its name in small letters. */
    @Nullable
    String header(String name) {
        for (int mark = 0; mark < 4 * headers; mark += 4) {
            if (isNamed(mark, name)) {
                return text(marks[mark + 2], marks[mark + 3]);
            }
        }
        return null;
    }

    List<String> headers(String name) {
        List<String> values = new ArrayList<>();
        for (int mark = 0; mark < 4 * headers; mark += 4) {
            if (isNamed(mark, name)) {
                values.add(text(marks[mark + 2], marks[mark + 3]));
            }
        }
        return values;
    }

    /** The status to refuse it with. */
    int refusal() {
        return refusal;
    }

    boolean isChunked() {
        return coding >= 0;
    }

    /** How long the body is that follows; 0 as well when it is in chunks. */
    long length() {
        return length < 0 ? 0 : Long.parseLong(text(marks[length + 2], marks[length + 3]));
    }

    boolean hasBody() {
        return length() > 0 || isChunked();
    }

    /** Whether the body is only sent when it is asked for. */
    boolean waitsForConsent() {
        String expects = header("expect");
        return isNewest && expects != null && expects.equalsIgnoreCase("100-continue");
    }

    /** Whether the client wants to use the connection again. */
    boolean keepsAlive() {
        boolean close = false;
        boolean keep = isNewest;
        for (int mark = 0; mark < 4 * headers; mark += 4) {
            if (isNamed(mark, "connection")) {
                close |= names(marks[mark + 2], marks[mark + 3], "close");
                keep |= names(marks[mark + 2], marks[mark + 3], "keep-alive");
            }
        }
        return keep && !close;
    }

    private boolean names(int from, int to, String option) {
        if (is(from, to, option)) {
            return true;
        }
        for (String one : text(from, to).split(",", -1)) {
            if (one.strip().equalsIgnoreCase(option)) {
                return true;
            }
        }
        return false;
    }
}
