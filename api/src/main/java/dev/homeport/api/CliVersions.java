package dev.homeport.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which versions of the command line a server works with. Every answer of the admin plane says so in a header, because the server
 * is the one that knows: an old command line cannot have heard of it.
 */
public record CliVersions(String oldest, String before) {
    public static final String HEADER = "Homeport-Cli";

    /** Those of this release and of its neighbours, as with servers. */
    public static final CliVersions SUPPORTED = new CliVersions("0.1", "0.3");

    private static final int LONGEST = 64;
    private static final int MOST_DIGITS = 6;

    /** Where a command line stands. */
    public enum Place {
        OLDER,
        SUPPORTED,
        NEWER
    }

    /** What a server said; none if that is nothing that can be understood. */
    public static Optional<CliVersions> read(String header) {
        String[] words = header.split(" ", -1);
        boolean formed = header.length() <= LONGEST
                && words.length == 2
                && words[0].startsWith(">=")
                && words[1].startsWith("<");
        return formed
                ? Optional.of(new CliVersions(words[0].substring(2), words[1].substring(1)))
                        .filter(range -> numbers(range.oldest).isPresent()
                                && numbers(range.before).isPresent())
                : Optional.empty();
    }

    public String header() {
        return ">=" + oldest + " <" + before;
    }

    /** None for what is not a version, as of a build that was never packaged. */
    public Optional<Place> placeOf(String version) {
        return numbers(version)
                .flatMap(own -> numbers(oldest)
                        .flatMap(least -> numbers(before)
                                .map(end -> compare(own, least) < 0
                                        ? Place.OLDER
                                        : compare(own, end) < 0 ? Place.SUPPORTED : Place.NEWER)));
    }

    /** The numbers of a version; what follows them, as in 0.1.0-SNAPSHOT, makes no difference here. */
    private static Optional<List<Integer>> numbers(String version) {
        List<Integer> numbers = new ArrayList<>();
        int digits = 0;
        int number = 0;
        for (int i = 0; i <= version.length(); i++) {
            char next = i < version.length() ? version.charAt(i) : '-';
            if (next >= '0' && next <= '9') {
                number = number * 10 + next - '0';
                digits++;
                continue;
            }
            if (digits == 0 || digits > MOST_DIGITS) {
                return Optional.empty();
            }
            numbers.add(number);
            if (next == '-' || next == '+') {
                return Optional.of(numbers);
            }
            if (next != '.') {
                return Optional.empty();
            }
            digits = 0;
            number = 0;
        }
        return Optional.empty();
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
            int order = Integer.compare(i < one.size() ? one.get(i) : 0, i < other.size() ? other.get(i) : 0);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
