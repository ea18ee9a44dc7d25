package dev.homeport.server.storage;

import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import java.util.Optional;

/**
 * This server's own mark, or what other servers have seen where that is further. So a new server, which has no mark, notices a
 * log that lost its end as well.
 */
public record SeenMark(HighWaterMark own, Optional<Head> elsewhere) implements HighWaterMark {

    @Override
    public Optional<Head> read() {
        Optional<Head> mine = own.read();
        if (mine.isEmpty() || elsewhere.isEmpty()) {
            return mine.or(() -> elsewhere);
        }
        Head theirs = elsewhere.get();
        Head head = mine.get();
        boolean further = theirs.storeId().equals(head.storeId())
                && (theirs.epoch() > head.epoch()
                        || theirs.epoch() == head.epoch() && theirs.revision() > head.revision());
        return further ? elsewhere : mine;
    }

    @Override
    public void remember(Head head) {
        own.remember(head);
    }
}
