package dev.homeport.server.poll.wire;

import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** The event loops of one server, which make room for each other's connections. */
final class LoopGroup {
    /** How many connections one loop may admit before another has closed as many. */
    private static final int MOST_ASKED = 64;

    private final int limit;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();

    private record Member(EventLoop events, Loop loop) {}

    /** @param limit of connections on all loops */
    LoopGroup(int limit) {
        this.limit = limit;
    }

    void add(EventLoop events, Loop loop) {
        members.add(new Member(events, loop));
    }

    /** Whether a loop has as many connections as each of them may have. */
    boolean hasItsShare(Loop loop) {
        return (long) loop.size() * members.size() >= limit;
    }

    /** Has a loop with more than its share close a connection soon; false if no loop has more, or that loop is behind already. */
    boolean askAnother(Loop asking) {
        for (Member member : members) {
            if (member.loop() != asking && hasItsShare(member.loop())) {
                return asked.incrementAndGet() <= MOST_ASKED && ask(member) || isTaken();
            }
        }
        return false;
    }

    private boolean isTaken() {
        asked.decrementAndGet();
        return false;
    }

    private boolean ask(Member member) {
        try {
            member.events().execute(() -> {
                asked.decrementAndGet();
                member.loop().evictOne();
            });
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
