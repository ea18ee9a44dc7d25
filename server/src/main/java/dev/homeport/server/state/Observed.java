package dev.homeport.server.state;

import dev.homeport.observe.ClusterReview;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.Report;
import dev.homeport.observe.Witness;
import dev.homeport.observe.WitnessQuestion;
import dev.homeport.server.events.Reports;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.poll.PollKeeper;
import java.util.Collection;
import java.util.Optional;

/** What this process has observed itself or read from others. */
public record Observed(LastSeen lastSeen, Reports reports) implements ClusterReview.Observed {
    @Override
    public Optional<ObservedPoll> poll(String cluster, String plural) {
        LastSeen.Key key = new LastSeen.Key(cluster, plural);
        return lastSeen.last(cluster, plural).map(poll -> PollKeeper.row(key, poll));
    }

    @Override
    public Collection<Report> reports(String cluster) {
        return reports.of(cluster);
    }

    @Override
    public Collection<Witness> witnesses(String cluster) {
        return reports.witnesses(cluster);
    }

    @Override
    public Collection<WitnessQuestion> questions(String cluster) {
        return reports.questions(cluster);
    }
}
