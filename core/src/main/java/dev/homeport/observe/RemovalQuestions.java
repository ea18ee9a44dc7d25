package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.fleet.FleetView;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** What a cluster is asked about items that it is no longer given, until it has shown that they are gone. */
public final class RemovalQuestions {
    private RemovalQuestions() {}

    public static List<WitnessQuestion> of(
            FleetView view, Document cluster, Collection<Report> reports, Collection<Witness> known) {
        RemovalWitnesses witnesses = new RemovalWitnesses(known);
        GivenItems given = new GivenItems(view, cluster);
        return reports.stream()
                .filter(report ->
                        !report.receivedAt().isBefore(cluster.created().at()))
                .flatMap(report -> RemovedItem.of(report).stream())
                .filter(item -> !given.contains(item) && !witnesses.isGone(item))
                .sorted(Comparator.comparing(RemovedItem::subject))
                .flatMap(item -> RemovalWitnesses.questions(item).stream())
                .toList();
    }
}
