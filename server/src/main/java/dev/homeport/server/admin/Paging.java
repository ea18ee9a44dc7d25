package dev.homeport.server.admin;

import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/** Which part of a list is asked for. A token names the last element of the page before, so writes do not move pages. */
record Paging(int size, String after) {
    static final Set<String> NAMES = Set.of("page_size", "page_token");

    private static final int STANDARD = 100;
    private static final int MOST = 1000;

    static Paging of(Call call) {
        long asked = call.number("page_size", 0, Integer.MAX_VALUE, 0);
        int size = asked == 0 ? STANDARD : (int) Math.min(asked, MOST);
        return new Paging(size, call.query("page_token").map(Paging::last).orElse(""));
    }

    private static String last(String token) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            if (text.matches("[\\x21-\\x7E]{1,300}")) {
                return text;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw wrong();
    }

    /** For lists that are ordered by number. */
    long afterNumber(long otherwise) {
        if (after.isEmpty()) {
            return otherwise;
        }
        if (!after.matches("[0-9]{1,18}")) {
            throw wrong();
        }
        return Long.parseLong(after);
    }

    static String token(Object last) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(last.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static ProblemException wrong() {
        return ProblemException.invalid(
                "/page_token", "this is not a page token of ours", "send next_page_token of the page before");
    }
}
