package dev.homeport.bench.poll;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs wrk on the load's core, asking as Flux does. */
final class Wrk {
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern BYTES = Pattern.compile("BYTES (\\d+)");
    private static final Pattern FAILURES = Pattern.compile("(Non-2xx or 3xx responses: \\d+|Socket errors: .*)");
    private static final int CONNECTIONS = 32;

    private Wrk() {}

    /** What one run found. */
    record Result(long requests, double bytesEach, double cpuMicros, double loadCpu, double perSecond) {}

    /**
     * Asks for one answer over and over; fails when any comes back with another status.
     *
     * @param server whose time on the processor is counted
     */
    static Result run(URI base, int cluster, boolean newConnections, int seconds, long server)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("wrk", "-t1", "-c" + CONNECTIONS, "-d" + seconds + "s"));
        header(command, "Authorization: Bearer " + FleetTokens.token(cluster).reveal());
        header(command, "Accept: application/json");
        header(command, "Accept-Encoding: gzip");
        header(command, "User-Agent: flux-operator/v0.58.1");
        if (newConnections) {
            header(command, "Connection: close");
        }
        command.add("-s");
        command.add(script("").toString());
        command.add(base + FleetTokens.path(cluster));
        return measure(base, command, server);
    }

    /**
     * Asks for the answers of all clusters in random order, in the same order each time.
     *
     * @param requests a line for each cluster: its path, a tab and a token
     */
    static Result random(
            URI base, java.nio.file.Path requests, boolean gzip, boolean newConnections, int seconds, long server)
            throws IOException, InterruptedException {
        String headers = (gzip ? "headers['Accept-Encoding'] = 'gzip'\n" : "")
                + (newConnections ? "headers['Connection'] = 'close'\n" : "");
        java.nio.file.Path script = script("""
                local requests = {}
                function init(args)
                  math.randomseed(7)
                  for line in io.lines("%s") do
                    local path, token = line:match("([^\t]+)\t([^\t]+)")
                    local headers = {}
                    headers['Authorization'] = 'Bearer ' .. token
                    headers['Accept'] = 'application/json'
                    headers['User-Agent'] = 'flux-operator/v0.58.1'
                %s
                    requests[#requests + 1] = wrk.format('GET', path, headers)
                  end
                end
                function request()
                  return requests[math.random(#requests)]
                end
                """.formatted(requests, headers));
        return measure(
                base,
                List.of(
                        "wrk",
                        "-t1",
                        "-c" + CONNECTIONS,
                        "-d" + seconds + "s",
                        "-s",
                        script.toString(),
                        base.toString()),
                server);
    }

    private static Result measure(URI base, List<String> command, long server)
            throws IOException, InterruptedException {
        double before = Pinned.cpuSeconds(server);
        long begun = System.nanoTime();
        Process process =
                Pinned.on(Pinned.LOAD, command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        double took = (System.nanoTime() - begun) / 1e9;
        double used = Pinned.cpuSeconds(server) - before;
        Matcher failures = FAILURES.matcher(out);
        if (failures.find()) {
            throw new IllegalStateException(base + " answered wrongly: " + failures.group());
        }
        long requests = number(REQUESTS, out);
        double load = process.info()
                        .totalCpuDuration()
                        .map(time -> time.toNanos() / 1e9)
                        .orElse(0.0)
                / took;
        return new Result(
                requests, (double) number(BYTES, out) / requests, used / requests * 1e6, load, requests / took);
    }

    /** Bytes without the rounding of wrk's own report. */
    private static java.nio.file.Path script(String more) throws IOException {
        java.nio.file.Path file = java.nio.file.Files.createTempFile("wrk", ".lua");
        java.nio.file.Files.writeString(
                file, more + "done = function(summary) io.write(string.format(\"BYTES %d\\n\", summary.bytes)) end\n");
        file.toFile().deleteOnExit();
        return file;
    }

    private static long number(Pattern pattern, String out) {
        Matcher matcher = pattern.matcher(out);
        if (!matcher.find()) {
            throw new IllegalStateException("wrk said: " + out);
        }
        return Long.parseLong(matcher.group(1));
    }

    private static void header(List<String> command, String line) {
        command.add("-H");
        command.add(line);
    }
}
