package dev.homeport.server.poll.wire;

import dev.homeport.server.http.Reply;
import dev.homeport.server.http.RequestView;
import java.util.function.Consumer;

/** Other pages on the address of polls. They may block, on a thread of their own. */
public interface Pages {
    /** No pages at all. */
    Pages NONE = new Pages() {
        @Override
        public boolean has(String path) {
            return false;
        }

        @Override
        public void show(RequestView request, Consumer<Reply> then) {
            throw new IllegalStateException("there are no pages");
        }
    };

    /** Whether a reader finds something there. */
    boolean has(String path);

    /** @param then is called once, on any thread */
    void show(RequestView request, Consumer<Reply> then);
}
