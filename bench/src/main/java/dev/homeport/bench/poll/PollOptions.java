package dev.homeport.bench.poll;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How the benchmark was asked for.
 *
 * @param shortened fewer pairs and seconds, and no fleet of 100,000: to see that it works, not to quote
 */
record PollOptions(Set<Section> sections, boolean shortened, boolean keep, Path data) {
    private static final String USAGE =
            "options: --only keepalive,connect,tls,patterns,latency,flat,memory,start,commit --short --keep --data DIR";

    /** What can be measured by itself. */
    enum Section {
        KEEPALIVE,
        CONNECT,
        TLS,
        PATTERNS,
        LATENCY,
        FLAT,
        MEMORY,
        START,
        COMMIT
    }

    static PollOptions parse(List<String> args) {
        Set<Section> sections = EnumSet.allOf(Section.class);
        boolean shortened = false;
        boolean keep = false;
        Path data = Path.of(System.getProperty("java.io.tmpdir"), "homeport-bench");
        for (int i = 0; i < args.size(); i++) {
            switch (args.get(i)) {
                case "--only" -> sections = sections(value(args, ++i));
                case "--short" -> shortened = true;
                case "--keep" -> keep = true;
                case "--data" -> data = Path.of(value(args, ++i));
                default -> throw new IllegalArgumentException("unknown option " + args.get(i) + "; " + USAGE);
            }
        }
        return new PollOptions(sections, shortened, keep, data.toAbsolutePath().resolve("poll"));
    }

    boolean has(Section section) {
        return sections.contains(section);
    }

    int pairs() {
        return shortened ? 3 : 7;
    }

    int secondsEach() {
        return shortened ? 2 : 3;
    }

    /** For the compiler to be done. */
    int secondsOfWarmUp() {
        return shortened ? 6 : 15;
    }

    List<Integer> sizes() {
        return shortened ? List.of(100, 10_000) : List.of(100, 1_000, 10_000, 100_000);
    }

    private static Set<Section> sections(String list) {
        Set<Section> sections = EnumSet.noneOf(Section.class);
        Arrays.stream(list.split(",", -1))
                .forEach(name -> sections.add(Section.valueOf(name.strip().toUpperCase(Locale.ROOT))));
        return sections;
    }

    private static String value(List<String> args, int at) {
        if (at >= args.size()) {
            throw new IllegalArgumentException(args.getLast() + " needs a value; " + USAGE);
        }
        return args.get(at);
    }
}
