package dev.homeport.observe;

import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.FleetView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one cluster is asked about: the sets of its types, its components, its versions, and components on their way out. */
public final class WitnessQuestions {
    private WitnessQuestions() {}

    /**
     * In a fixed order, each id once.
     *
     * @param known what the cluster said before: a component that it has and that is no longer wanted is asked about until
     *     it is gone
     * @param reports what it reported: a set that failed is asked about until it is well
     * @param more questions of others; one with an id of ours is left out
     */
    public static List<WitnessQuestion> of(
            FleetView view,
            Document cluster,
            Wanted wanted,
            Collection<Witness> known,
            Collection<Report> reports,
            Collection<WitnessQuestion> more) {
        Map<String, WitnessQuestion> all = new LinkedHashMap<>();
        for (String name : view.types().itemTypes()) {
            TypeDefinition type = view.types().named(name).orElseThrow();
            if (BuiltInTypes.catalog().named(name).isPresent()
                    || type.template().isPresent()) {
                add(all, WitnessQuestion.type(type.plural()));
            }
        }
        wanted.components().forEach((id, part) -> add(all, WitnessQuestion.component(id, part.kind())));
        add(all, WitnessQuestion.facts());
        known.stream()
                .filter(witness -> witness.cluster().equals(cluster.id()))
                .filter(witness -> !witness.isAbsent() && !all.containsKey(witness.id()))
                .filter(witness -> witness.id().startsWith(Report.component("")))
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .forEach(witness -> leaving(witness, all));
        WitnessReports.failedSets(reports, known).forEach(question -> add(all, question));
        more.forEach(question -> add(all, question));
        Probe.of(view, cluster).forEach(probe -> add(all, WitnessQuestion.probe(probe)));
        return List.copyOf(all.values());
    }

    private static void leaving(Witness witness, Map<String, WitnessQuestion> all) {
        String kind = witness.seen().kind();
        if (kind.equals("HelmRelease") || kind.equals("Kustomization")) {
            String component = witness.id().substring(Report.component("").length());
            add(all, WitnessQuestion.leavingComponent(component, kind));
        }
    }

    private static void add(Map<String, WitnessQuestion> all, WitnessQuestion question) {
        all.putIfAbsent(question.id(), question);
    }
}
