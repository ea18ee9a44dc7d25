package dev.homeport.bench.poll;

import dev.homeport.bench.Isolated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes that stay on one core, and what they have used. Linux only. */
final class Pinned {
    /** The core of what is measured. */
    static final int SERVER = 0;

    /** The core of what asks. */
    static final int LOAD = 1;

    private static final double TICKS_PER_SECOND = 100;
    private static final int UTIME = 11;

    private Pinned() {}

    static ProcessBuilder on(int core, List<String> command) {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", Integer.toString(core)));
        pinned.addAll(command);
        return Isolated.process(pinned);
    }

    /** Time on a processor, in user mode and in the kernel, of all threads: collector and compiler too. */
    static double cpuSeconds(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1])) / TICKS_PER_SECOND;
    }

    /** Memory that is really there. */
    static double residentMib(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
            }
        }
        throw new IOException("no VmRSS of " + pid);
    }

    /** Needs to be there, or is installed where that is possible. */
    static void require(String program, String debianPackage) throws IOException, InterruptedException {
        if (new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0) {
            return;
        }
        boolean root = System.getProperty("user.name").equals("root");
        if (root) {
            System.err.println("installing " + debianPackage + "…");
            new ProcessBuilder("apt-get", "install", "-y", "-qq", debianPackage)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0) {
                return;
            }
        }
        throw new IllegalStateException(program + " is needed: apt install " + debianPackage);
    }
}
