package dev.homeport.server.state;

import dev.homeport.observe.ClusterFacts;
import dev.homeport.observe.Source;
import dev.homeport.server.state.Finding.Kind;
import dev.homeport.server.state.Finding.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Clusters whose versions are not what they should be. What a silent cluster said last is old and counts for nothing here. */
final class VersionFindings {
    /** Flux supports its three newest minor versions, so one that is this far behind another is not supported. */
    private static final int UNSUPPORTED = 3;

    private VersionFindings() {}

    static List<Finding> of(Collection<Standing> standings) {
        List<Standing> known = standings.stream()
                .filter(standing -> standing.facts() != null && Findings.isServed(standing))
                .toList();
        List<Finding> all = new ArrayList<>();
        ClusterFacts newest = known.stream()
                .flatMap(standing -> Stream.ofNullable(standing.facts()))
                .filter(facts -> facts.fluxMinor().isPresent())
                .max(Comparator.comparing(facts -> facts.fluxMinor().orElse(0)))
                .orElse(null);
        for (Standing standing : known) {
            ClusterFacts facts = Objects.requireNonNull(standing.facts());
            String declared = standing.declared();
            if (declared != null) {
                all.add(new Finding(
                                Kind.KUBERNETES_VERSION,
                                Severity.INFO,
                                standing.cluster(),
                                standing.cluster(),
                                facts.at(),
                                "it runs Kubernetes " + facts.kubernetes() + ", and its document declares " + declared,
                                "upgrade the cluster, or correct kubernetes_version in its document")
                        .from(Source.WITNESS));
            }
            if (newest != null && isUnsupported(facts, newest)) {
                all.add(new Finding(
                                Kind.FLUX_VERSION,
                                Severity.WARNING,
                                standing.cluster(),
                                standing.cluster(),
                                facts.at(),
                                "it runs Flux " + facts.flux() + ", and the newest in the fleet is " + newest.flux(),
                                "upgrade Flux on the cluster: only the three newest minor versions are supported")
                        .from(Source.WITNESS));
            }
        }
        return all;
    }

    private static boolean isUnsupported(ClusterFacts facts, ClusterFacts newest) {
        return facts.fluxMinor()
                .filter(minor -> newest.fluxMinor().orElse(minor) - minor >= UNSUPPORTED)
                .isPresent();
    }
}
