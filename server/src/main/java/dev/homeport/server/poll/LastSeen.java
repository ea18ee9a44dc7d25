package dev.homeport.server.poll;

import dev.homeport.document.Types;
import dev.homeport.observe.TokenUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Polls as heartbeats, in memory. What changed since the last flush is taken in one go, so a poll never waits for a disk. */
public final class LastSeen {
    private static final int OK = 200;
    private static final long A_MINUTE = 60;
    private static final int MOST_GIVEN = 100_000;

    /** Which answers were polled. */
    public record Key(String cluster, String type) {}

    /** An answer that a cluster was given. */
    public record Given(Key key, PollSeen poll) {}

    private final ConcurrentHashMap<Key, PollSeen> seen = new ConcurrentHashMap<>();
    private final AtomicReference<ConcurrentHashMap<Key, PollSeen>> unsaved =
            new AtomicReference<>(new ConcurrentHashMap<>());

    /** Answers that clusters got and had not got by their polls before, in the order in which they got them. */
    private final ConcurrentLinkedQueue<Given> given = new ConcurrentLinkedQueue<>();

    private final Set<String> touched = ConcurrentHashMap.newKeySet();
    private final Set<String> awaited = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, Addresses> addresses = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Instant> tokens = new ConcurrentHashMap<>();
    private final Set<String> unsavedTokens = ConcurrentHashMap.newKeySet();
    private final Set<String> served = ConcurrentHashMap.newKeySet();
    private final Set<String> unsavedServed = ConcurrentHashMap.newKeySet();

    public void record(String cluster, String type, PollSeen poll) {
        Key key = new Key(cluster, type);
        PollSeen before = seen.get(key);
        PollSeen now = before == null ? poll : poll.after(before);
        seen.put(key, now);
        compare(key, before, now);
        unsaved.get().put(key, now);
        if (before == null || !before.digest().equals(poll.digest())) {
            gave(key, poll);
        }
        if (poll.status() == OK && !served.contains(cluster)) {
            served.add(cluster);
            unsavedServed.add(cluster);
        }
    }

    /** Witnesses only look at a cluster, and what they are given changes with what they saw. */
    void gave(Key key, PollSeen poll) {
        if (poll.status() == OK && !key.type().equals(Types.WITNESSES)) {
            given.add(new Given(key, poll));
        }
    }

    /** What was recorded by other processes, or before this one started. */
    public void learn(Key key, PollSeen poll) {
        PollSeen before = seen.get(key);
        PollSeen kept = seen.merge(key, poll, (mine, theirs) -> theirs.at().isAfter(mine.at()) ? theirs : mine);
        if (kept == poll) {
            compare(key, before, poll);
        }
    }

    /** Nearly every poll is like the one before; what is not is looked at by others later. */
    private void compare(Key key, @Nullable PollSeen before, PollSeen now) {
        if (before == null
                || before.status() != now.status()
                || !before.digest().equals(now.digest())
                || !before.client().equals(now.client())
                || !before.every().equals(now.every())
                || awaited.remove(key.cluster())) {
            touched.add(key.cluster());
        }
        if (before != null && !before.address().equals(now.address())) {
            addresses.merge(
                    key.cluster(),
                    Addresses.NONE.moved(before.address(), before.at(), now.address(), now.at()),
                    (known, moved) -> known.moved(before.address(), before.at(), now.address(), now.at()));
        }
    }

    public void touch(String cluster) {
        touched.add(cluster);
    }

    /** Clusters that were given something else than before, or were waited for, since this was last asked. */
    public Set<String> takeTouched() {
        Set<String> taken = Set.copyOf(touched);
        touched.removeAll(taken);
        return taken;
    }

    /** From now on the next poll of a cluster counts as something else, whatever it is given. */
    public void await(String cluster) {
        awaited.add(cluster);
    }

    /** Clusters that polled from more than one address. */
    public Map<String, Addresses> addresses() {
        return Collections.unmodifiableMap(addresses);
    }

    /** Whether this process has given the cluster an answer. */
    public boolean hasServed(String cluster) {
        return served.contains(cluster);
    }

    public Optional<PollSeen> last(String cluster, String type) {
        return Optional.ofNullable(seen.get(new Key(cluster, type)));
    }

    public boolean hasPolled(String cluster, Iterable<String> types) {
        for (String type : types) {
            if (seen.containsKey(new Key(cluster, type))) {
                return true;
            }
        }
        return false;
    }

    /** A token was shown and found good. */
    public void used(String token, Instant at) {
        if (!token.isEmpty()) {
            Instant before = tokens.put(token, at);
            if (before == null || before.getEpochSecond() / A_MINUTE != at.getEpochSecond() / A_MINUTE) {
                unsavedTokens.add(token);
            }
        }
    }

    /** What other processes saw, or this one before it started. */
    public void learn(TokenUse use) {
        tokens.merge(use.token(), use.at(), (mine, theirs) -> theirs.isAfter(mine) ? theirs : mine);
    }

    /** When any server last saw the token in use: on this one exact, on others to the minute. */
    public Optional<Instant> lastUsed(String token) {
        return Optional.ofNullable(tokens.get(token));
    }

    public Map<Key, PollSeen> takeUnsaved() {
        return new HashMap<>(unsaved.getAndSet(new ConcurrentHashMap<>()));
    }

    public List<Given> takeUnsavedGiven() {
        List<Given> taken = new ArrayList<>();
        for (Given one = given.poll(); one != null; one = given.poll()) {
            taken.add(one);
        }
        return taken;
    }

    public Set<String> takeUnsavedServed() {
        Set<String> taken = Set.copyOf(unsavedServed);
        unsavedServed.removeAll(taken);
        return taken;
    }

    /** Saving every use would be a row for each poll, so that is done once a minute. */
    public List<TokenUse> takeUnsavedTokens() {
        Set<String> taken = Set.copyOf(unsavedTokens);
        unsavedTokens.removeAll(taken);
        List<TokenUse> uses = new ArrayList<>();
        taken.forEach(token -> lastUsed(token).ifPresent(at -> uses.add(new TokenUse(token, at))));
        return uses;
    }

    /** Takes back what could not be saved; what was recorded meanwhile is newer. */
    public void putBack(Map<Key, PollSeen> polls, List<Given> answers, Set<String> clusters, List<TokenUse> uses) {
        // During a long outage only the latest of each are kept.
        Map<Key, Given> latest = new HashMap<>();
        answers.forEach(one -> latest.put(one.key(), one));
        given.addAll(answers.size() > MOST_GIVEN ? latest.values() : answers);
        uses.forEach(use -> unsavedTokens.add(use.token()));
        polls.forEach(unsaved.get()::putIfAbsent);
        unsavedServed.addAll(clusters);
    }
}
