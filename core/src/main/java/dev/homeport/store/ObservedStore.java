package dev.homeport.store;

import dev.homeport.change.Head;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.HeardDay;
import dev.homeport.observe.Observations;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollBatch;
import dev.homeport.observe.Refusal;
import dev.homeport.observe.Report;
import dev.homeport.observe.Stranger;
import dev.homeport.observe.TokenUse;
import dev.homeport.observe.Witness;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What was observed, in tables of its own. Opened by {@link ObservedStores}. */
public final class ObservedStore implements Observations {
    private final Database database;
    private final Observer observer;

    ObservedStore(Database database, Observer observer) {
        this.database = database;
        this.observer = observer;
    }

    @Override
    public void save(PollBatch batch) {
        database.write(session -> {
            PollRows.save(session, database.dialect(), batch.polls(), observer);
            HeardRows.save(session, batch.heard());
            PollRows.saveServed(session, batch.served());
            GivenRows.save(session, batch.given());
            TokenRows.save(session, database.dialect(), batch.tokens(), observer);
            RefusalRows.save(session, batch.refusals());
            SeenHeadRow.raise(session, batch.head());
            return true;
        });
    }

    @Override
    public List<ObservedPoll> since(Instant time, From from) {
        return database.scan(session -> PollRows.since(session, database.dialect(), time, observer.but(from)));
    }

    @Override
    public List<TokenUse> tokensUsedSince(Instant time, From from) {
        return database.scan(session -> TokenRows.since(session, database.dialect(), time, observer.but(from)));
    }

    @Override
    public List<Refusal> refusalsSince(Instant time, int limit) {
        return database.scan(session -> RefusalRows.since(session, time, limit));
    }

    @Override
    public List<GivenAnswer> given(String cluster) {
        return database.read(session -> GivenRows.of(session, cluster));
    }

    @Override
    public List<GivenAnswer> given() {
        return database.scan(GivenRows::all);
    }

    @Override
    public void restoreGiven(List<GivenAnswer> answers) {
        database.write(session -> {
            GivenRows.save(session, answers);
            PollRows.saveServed(
                    session, answers.stream().map(GivenAnswer::cluster).collect(Collectors.toSet()));
            return true;
        });
    }

    @Override
    public boolean wasServed(String cluster) {
        return database.read(session -> PollRows.wasServed(session, cluster));
    }

    @Override
    public List<HeardDay> heard(String cluster, LocalDate from) {
        return database.read(session -> HeardRows.of(session, cluster, from));
    }

    @Override
    public Optional<Head> highest() {
        return database.read(SeenHeadRow::read);
    }

    @Override
    public void accept(Head head) {
        database.write(session -> {
            SeenHeadRow.replace(session, head);
            StrangerRows.forget(session, Stranger.IN_QUARANTINE);
            return true;
        });
    }

    @Override
    public void prune(LocalDate before) {
        database.write(session -> session.update("DELETE FROM poll_day WHERE day < ?", before.toEpochDay()));
    }

    @Override
    public void saveReports(Collection<Report> reports) {
        database.write(session -> {
            ReportRows.save(session, reports, observer);
            return true;
        });
    }

    @Override
    public List<Report> reportsSince(Instant time, From from) {
        return database.scan(session -> ReportRows.since(session, time, observer.but(from)));
    }

    @Override
    public void saveWitnesses(Collection<Witness> witnesses) {
        database.write(session -> {
            WitnessRows.save(session, witnesses, observer);
            return true;
        });
    }

    @Override
    public List<Witness> witnessesSince(Instant time, From from) {
        return database.scan(session -> WitnessRows.since(session, time, observer.but(from)));
    }

    @Override
    public void saveStrangers(Collection<Stranger> strangers) {
        database.write(session -> {
            StrangerRows.save(session, strangers);
            return true;
        });
    }

    @Override
    public List<Stranger> strangersSince(Instant time, int most) {
        return database.read(session -> StrangerRows.since(session, time, most));
    }

    @Override
    public void forget(Instant before, Collection<String> goneClusters) {
        database.write(session -> {
            StrangerRows.forget(session, before);
            ReportRows.forget(session, goneClusters);
            WitnessRows.forget(session, goneClusters);
            return true;
        });
    }

    @Override
    public void close() {
        database.close();
    }
}
