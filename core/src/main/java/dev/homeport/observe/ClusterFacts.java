package dev.homeport.observe;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which versions a cluster runs, as its FluxReport said last. Every version may be empty: the report does not have it, or there
 * is no report.
 *
 * @param kubernetes of the API server, as it names itself
 * @param platform operating system and architecture of the API server
 * @param flux of the Flux distribution
 * @param operator of Flux Operator
 * @param at when the cluster looked
 * @param present whether the cluster has a FluxReport
 */
public record ClusterFacts(
        String kubernetes, String platform, String flux, String operator, Instant at, boolean present) {

    /** Id of the question. */
    public static final String QUESTION = "facts";

    static final String KIND = "FluxReport";

    private static final int FIELDS = 5;
    private static final int LONGEST = 100;
    private static final int MAJOR = 1000;
    private static final Pattern UNFIT = Pattern.compile("[^\\x20-\\x7E]");
    private static final Pattern VERSION = Pattern.compile("v?(\\d{1,3})\\.(\\d{1,3})(?:\\.(\\d{1,3}))?([-+].*)?");

    /** Nothing while the cluster has not answered. */
    public static Optional<ClusterFacts> of(Collection<Witness> witnesses) {
        return witnesses.stream()
                .filter(witness -> witness.id().equals(QUESTION))
                .findFirst()
                .flatMap(ClusterFacts::of);
    }

    private static Optional<ClusterFacts> of(Witness witness) {
        if (witness.isAbsent()) {
            return Optional.of(new ClusterFacts("", "", "", "", witness.at(), false));
        }
        try {
            String text = new String(Base64.getDecoder().decode(witness.value()), StandardCharsets.UTF_8);
            String[] fields = text.split("\n", -1);
            return fields.length == FIELDS && fields[0].equals(KIND)
                    ? Optional.of(new ClusterFacts(
                            plain(fields[1]), plain(fields[2]), plain(fields[3]), plain(fields[4]), witness.at(), true))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String plain(String text) {
        String plain = UNFIT.matcher(text).replaceAll("?");
        return plain.substring(0, Math.min(plain.length(), LONGEST));
    }

    /** Whether the cluster is known to run another version of Kubernetes than this: 1.34 stands for every 1.34.x. */
    public boolean runsOtherThan(String declared) {
        var runs = VERSION.matcher(kubernetes);
        var wanted = VERSION.matcher(declared);
        if (!runs.matches() || !wanted.matches()) {
            return false;
        }
        boolean same = runs.group(1).equals(wanted.group(1))
                && runs.group(2).equals(wanted.group(2))
                && (wanted.group(3) == null || wanted.group(3).equals(runs.group(3)))
                && (wanted.group(4) == null || wanted.group(4).equals(runs.group(4)));
        return !same;
    }

    /** Major and minor version of Flux as one number that can be compared; nothing where it is not known. */
    public Optional<Integer> fluxMinor() {
        var version = VERSION.matcher(flux);
        return version.matches()
                ? Optional.of(Integer.parseInt(version.group(1)) * MAJOR + Integer.parseInt(version.group(2)))
                : Optional.empty();
    }
}
