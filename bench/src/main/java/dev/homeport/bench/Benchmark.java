package dev.homeport.bench;

import java.util.List;

/** A measurement that can be run by name. */
public interface Benchmark {
    String name();

    /** One line for the list of benchmarks. */
    String summary();

    /** Measures, prints what a reader wants to follow, and puts figures and goals into the report. */
    void run(List<String> args, Report report) throws Exception;
}
