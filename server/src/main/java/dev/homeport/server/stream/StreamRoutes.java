package dev.homeport.server.stream;

import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.access.Rights;
import dev.homeport.access.SignOuts;
import dev.homeport.access.TokenLife;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.StreamOutput;
import dev.homeport.server.metrics.StreamCounts;
import dev.homeport.server.state.StateChange;
import dev.homeport.server.state.StateChanges;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.PublishedCommit;
import dev.homeport.snapshot.Snapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** {@code GET /api/v2/stream}: what was committed, as soon as it is served, and which clusters came into another state. */
public final class StreamRoutes {
    private static final int MOST_OF_ONE = 20;
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LOOKS_PER_HEARTBEAT = 10;

    /** A reader that is further behind reads everything again, which is less than that many steps. */
    private static final long LONGEST_GAP = 1000;

    private final LogFollower follower;
    private final History history;
    private final Rights rights;
    private final InstantSource clock;
    private final StreamCounts counts;
    private final int mostStreams;
    private final ConcurrentHashMap<String, Integer> byCaller = new ConcurrentHashMap<>();
    private final StateChanges states;
    private final LogTurns turns;

    /** Where reads of the log by streams wait for their turn. */
    public interface LogTurns {
        String read(String caller, Callable<String> work) throws Exception;
    }

    public StreamRoutes(
            LogFollower follower,
            History history,
            Rights rights,
            InstantSource clock,
            StreamCounts counts,
            int mostStreams,
            StateChanges states,
            LogTurns turns) {
        this.follower = follower;
        this.history = history;
        this.rights = rights;
        this.clock = clock;
        this.counts = counts;
        this.mostStreams = mostStreams;
        this.states = states;
        this.turns = turns;
    }

    public List<Route> routes() {
        Route.Streamer streamer = new Route.Streamer() {
            @Override
            public void stream(Call call, StreamOutput out) throws Exception {
                StreamRoutes.this.stream(call, out);
            }

            @Override
            public Set<String> query() {
                return Set.of("types", "last_event_id");
            }
        };
        return List.of(new Route(
                "GET",
                "/api/v2/stream",
                "stream",
                "Commits as they are made and clusters as they change state, as server-sent events",
                Route.Needs.READ,
                streamer));
    }

    private void stream(Call call, StreamOutput out) throws Exception {
        Events events = new Events(TypeFilter.parse(
                call.query("types").orElse(""), follower.live().current().types()));
        String caller = call.caller().actor().toString();
        if (byCaller.merge(caller, 1, Integer::sum) > MOST_OF_ONE) {
            left(caller);
            throw ProblemException.refused(
                    ErrorCode.TOO_MANY_REQUESTS,
                    caller + " has " + MOST_OF_ONE + " open streams, which is the limit for one caller",
                    "close one of them");
        }
        try {
            if (counts.open().incrementAndGet() > mostStreams) {
                throw ProblemException.refused(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "all " + mostStreams + " streams of this server are in use",
                        "try again later, or raise max_streams");
            }
            follow(call, out, events);
        } finally {
            counts.open().decrementAndGet();
            left(caller);
        }
    }

    private void left(String caller) {
        byCaller.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    }

    private void follow(Call call, StreamOutput out, Events events) throws Exception {
        Snapshot snapshot = follower.live().current();
        long epoch = snapshot.head().epoch();
        Optional<String> last = call.header("Last-Event-ID").or(() -> call.query("last_event_id"));
        Optional<Long> from = last.flatMap(id -> Events.resume(id, snapshot, LONGEST_GAP));
        long sent = from.orElse(snapshot.revision());
        boolean going =
                out.send(last.isPresent() && from.isEmpty() ? events.reset(snapshot) : events.ready(epoch, sent));
        long told = states.last();
        int quiet = 0;
        while (going && mayGoOn(call.caller())) {
            Snapshot now = follower.live().await(sent + 1, LOOK);
            if (now.head().epoch() != epoch || now.revision() - sent > LONGEST_GAP) {
                epoch = now.head().epoch();
                sent = now.revision();
                going = out.send(events.reset(now));
                continue;
            }
            quiet = now.revision() > sent ? 0 : quiet + 1;
            while (going && sent < now.revision() && out.isOpen()) {
                String text = event(events, epoch, ++sent, rights.powers(now, call.caller()));
                going = text.isEmpty() || out.send(text);
            }
            List<StateChange> changed = states.after(told);
            if (going && !changed.isEmpty()) {
                told = changed.getLast().number();
                String text = events.of(seen(changed, now, call.caller()));
                going = text.isEmpty() || out.send(text);
                quiet = 0;
            }
            if (going && quiet >= LOOKS_PER_HEARTBEAT) {
                quiet = 0;
                going = out.send(Events.HEARTBEAT);
            }
            going &= out.isOpen();
        }
    }

    /** From memory; from the log for a reader that was away for longer than commits are kept. */
    private String event(Events events, long epoch, long revision, Powers powers) throws Exception {
        Optional<PublishedCommit> published = follower.feed().commit(epoch, revision);
        if (published.isPresent()) {
            return events.of(published.get(), powers);
        }
        counts.logReads().incrementAndGet();
        return turns.read(powers.caller().actor().toString(), () -> {
            CommitOutline commit = history.outline(revision).orElseThrow();
            return events.of(commit, Visibility.of(powers, history, commit));
        });
    }

    private List<StateChange> seen(List<StateChange> changes, Snapshot now, Caller caller) {
        Powers powers = rights.powers(now, caller);
        return powers.seesAll()
                ? changes
                : changes.stream()
                        .filter(change -> now.find(new DocumentKey(Types.CLUSTER, change.cluster()))
                                .filter(powers::sees)
                                .isPresent())
                        .toList();
    }

    /** A stream outlives its request, so its token is asked about again and again. */
    private boolean mayGoOn(Caller caller) {
        Snapshot now = follower.live().current();
        if (caller.token().isEmpty()) {
            boolean signedIn = caller.signIn()
                    .map(signIn -> clock.instant().isBefore(signIn.until())
                            && !SignOuts.isEnded(now, caller.actor().toString(), signIn))
                    .orElse(true);
            return signedIn && rights.mayEnter(now, caller);
        }
        Document token = now.document(Types.TOKEN, caller.token());
        return token != null && TokenLife.isLive(now, token, clock.instant()) && rights.mayEnter(now, caller);
    }
}
