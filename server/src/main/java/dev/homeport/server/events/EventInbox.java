package dev.homeport.server.events;

import dev.homeport.api.ErrorCode;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.observe.Observations;
import dev.homeport.observe.Report;
import dev.homeport.observe.Witness;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.liveness.Loops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events on their way to the observed store, away from the event loops that answer polls. One thread judges them, another
 * saves their reports, a batch at a time, and only then are they answered: 202 means that it is stored. While the store is
 * out of reach, 202 means that it is kept here until the store is back; then a process that is killed loses it.
 */
public final class EventInbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventInbox.class);
    private static final long SAVE_MILLIS = 50;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final EventDesk desk;
    private final Supplier<Observations> store;
    private final EventOutcome.Watch watch;
    private final Limits limits;
    private final ArrayBlockingQueue<Letter> queue;
    private final AtomicLong queuedBytes = new AtomicLong();
    private final Object lock = new Object();
    private Map<Place, Report> unsaved = new HashMap<>();
    private Map<Question, Witness> unsavedWitnesses = new HashMap<>();
    private List<Runnable> waiting = new ArrayList<>();
    private int beingSaved;
    private volatile boolean closing;
    private boolean failing;
    private final Thread judge;
    private final Thread saver;

    /**
     * How much is kept while it cannot be stored.
     *
     * @param queued events that are not processed yet
     * @param bytes of those
     * @param unsaved reports that wait for the store, one for each object and verdict
     */
    public record Limits(int queued, long bytes, int unsaved) {
        public static final Limits STANDARD = new Limits(10_000, 32L * 1024 * 1024, 50_000);
    }

    private record Letter(Posted posted, Consumer<Reply> answer) {}

    private record Place(String cluster, Report.Key key) {}

    private record Question(String cluster, String id) {}

    private record Batch(Map<Place, Report> reports, Map<Question, Witness> witnesses) {
        static final Batch NOTHING = new Batch(Map.of(), Map.of());

        int size() {
            return reports.size() + witnesses.size();
        }
    }

    EventInbox(EventDesk desk, Supplier<Observations> store, EventOutcome.Watch watch, Limits limits, Loops loops) {
        this.desk = desk;
        this.store = store;
        this.watch = watch;
        this.limits = limits;
        this.queue = new ArrayBlockingQueue<>(limits.queued());
        this.judge = loops.start("events", this::judgeNext);
        this.saver = loops.start("event-store", this::saveNext);
    }

    /** False when there is no room: the sender must retry. */
    boolean offer(Posted posted, Consumer<Reply> answer) {
        long bytes = queuedBytes.addAndGet(posted.body().length);
        if (bytes > limits.bytes() || unsavedCount() >= limits.unsaved() || !queue.offer(new Letter(posted, answer))) {
            queuedBytes.addAndGet(-posted.body().length);
            watch.accept(EventOutcome.OVERFLOW);
            return false;
        }
        return true;
    }

    /** Stores what was found here and not reported by a cluster. What has no room is lost with this process. */
    public void note(Report report) {
        synchronized (lock) {
            if (unsaved.size() + beingSaved < limits.unsaved()) {
                add(report);
            }
        }
    }

    private void add(Report report) {
        unsaved.merge(new Place(report.cluster(), report.key()), report, EventInbox::newer);
    }

    /** Events that are not answered yet or not stored yet. */
    public int size() {
        return queue.size() + unsavedCount();
    }

    private int unsavedCount() {
        synchronized (lock) {
            return unsaved.size() + unsavedWitnesses.size() + beingSaved;
        }
    }

    private boolean judgeNext() throws InterruptedException {
        Letter letter = queue.poll(SAVE_MILLIS, TimeUnit.MILLISECONDS);
        if (letter != null) {
            queuedBytes.addAndGet(-letter.posted().body().length);
            judge(letter);
        }
        return !closing || !queue.isEmpty();
    }

    private void judge(Letter letter) {
        EventDesk.Judged judged;
        try {
            judged = desk.judge(letter.posted());
        } catch (RuntimeException | Error e) {
            LOG.error("an event could not be judged", e);
            answer(() -> letter.answer().accept(failed()));
            return;
        }
        watch.accept(judged.outcome());
        Report news = judged.news();
        Witness witness = judged.witness();
        if (news == null && witness == null) {
            answer(() -> letter.answer().accept(judged.reply()));
            return;
        }
        synchronized (lock) {
            if (news != null) {
                add(news);
            }
            if (witness != null) {
                unsavedWitnesses.merge(new Question(witness.cluster(), witness.id()), witness, EventInbox::newer);
            }
            waiting.add(() -> letter.answer().accept(judged.reply()));
        }
    }

    private boolean saveNext() throws InterruptedException {
        Thread.sleep(save() ? SAVE_MILLIS : RETRY.toMillis());
        return !closing || judge.isAlive();
    }

    /** False when the store is out of reach. */
    private boolean save() {
        Batch batch;
        List<Runnable> answers;
        synchronized (lock) {
            batch = new Batch(unsaved, unsavedWitnesses);
            answers = waiting;
            unsaved = new HashMap<>();
            unsavedWitnesses = new HashMap<>();
            waiting = new ArrayList<>();
            beingSaved = batch.size();
        }
        boolean saved = true;
        try {
            if (batch.size() > 0) {
                save(batch);
                over(Batch.NOTHING);
                if (failing) {
                    LOG.info("reports are saved again");
                    failing = false;
                }
            }
        } catch (RuntimeException e) {
            saved = false;
            over(batch);
            if (!failing) {
                failing = true;
                LOG.warn("reports are kept in memory for now: {}", e.getMessage());
            }
        } catch (Error e) {
            over(batch);
            throw e;
        } finally {
            answers.forEach(EventInbox::answer);
        }
        return saved;
    }

    /** One sender that cannot be answered must not keep the others waiting. */
    private static void answer(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            LOG.error("an event could not be answered", e);
        }
    }

    private void save(Batch batch) {
        Observations into = store.get();
        save(
                batch.reports().values(),
                into::saveReports,
                report -> report.subject() + " on cluster " + report.cluster());
        save(
                batch.witnesses().values(),
                into::saveWitnesses,
                witness -> witness.id() + " on cluster " + witness.cluster());
    }

    /** One that no database takes must not keep the others out. */
    private static <T> void save(Collection<T> all, Consumer<List<T>> store, Function<T, String> name) {
        if (all.isEmpty()) {
            return;
        }
        try {
            store.accept(List.copyOf(all));
        } catch (StoreUnavailable e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("a batch of reports was refused; they are tried one by one", e);
            for (T one : all) {
                try {
                    store.accept(List.of(one));
                } catch (StoreUnavailable unavailable) {
                    throw unavailable;
                } catch (RuntimeException refused) {
                    LOG.error("a report of {} cannot be stored", name.apply(one));
                }
            }
        }
    }

    private static Report newer(Report one, Report other) {
        return other.isNewerThan(one) ? other : one;
    }

    private static Witness newer(Witness one, Witness other) {
        return other.isNewerThan(one) ? other : one;
    }

    private static Reply failed() {
        return ProblemReply.of(
                ErrorCode.INTERNAL, "something went wrong here", "try again; the server's log has more", "");
    }

    /** A batch is over, but for what could not be saved of it. */
    private void over(Batch left) {
        synchronized (lock) {
            beingSaved = 0;
            left.reports().forEach((place, report) -> unsaved.merge(place, report, EventInbox::newer));
            left.witnesses()
                    .forEach((question, witness) -> unsavedWitnesses.merge(question, witness, EventInbox::newer));
        }
    }

    /** Processes what has arrived and saves its reports. The caller accepts no more events. */
    @Override
    public void close() {
        closing = true;
        try {
            judge.join(Duration.ofSeconds(5));
            saver.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!save()) {
            LOG.error("{} reports could not be saved and are lost", unsavedCount());
        }
    }
}
