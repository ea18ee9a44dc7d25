package dev.homeport.bench.poll;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server's own histogram of how long polls took. */
record ServerTime(NavigableMap<Double, Double> countsUpTo) {
    private static final Pattern BUCKET =
            Pattern.compile("homeport_poll_duration_seconds_bucket\\{le=\"([^\"]+)\"} ([0-9.E]+)");

    static ServerTime of(String metrics) {
        NavigableMap<Double, Double> counts = new TreeMap<>();
        for (Matcher bucket = BUCKET.matcher(metrics); bucket.find(); ) {
            double bound =
                    bucket.group(1).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bucket.group(1));
            counts.put(bound, Double.parseDouble(bucket.group(2)));
        }
        if (counts.isEmpty()) {
            throw new IllegalStateException("the server shows no histogram");
        }
        return new ServerTime(counts);
    }

    /** The smallest bound that at least this share of the polls since then did not exceed, in milliseconds. */
    double millis(ServerTime since, double share) {
        double all =
                countsUpTo.lastEntry().getValue() - since.countsUpTo.lastEntry().getValue();
        for (Map.Entry<Double, Double> bucket : countsUpTo.entrySet()) {
            if (bucket.getValue() - since.countsUpTo.getOrDefault(bucket.getKey(), 0.0) >= share * all) {
                return bucket.getKey() * 1000;
            }
        }
        return Double.POSITIVE_INFINITY;
    }
}
