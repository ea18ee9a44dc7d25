package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A network for one program alone, with a wire between it and this machine. What the kernel counts in it is that program's
 * doing, so not one connection goes unseen. It is there for as long as the process that holds it.
 */
public final class OwnNetwork implements AutoCloseable {
    private final Daemon holder;
    private final String address;

    private OwnNetwork(Daemon holder, String address) {
        this.holder = holder;
        this.address = address;
    }

    /** Nothing where this is not allowed: it takes root, and the programs {@code unshare}, {@code nsenter} and {@code ip}. */
    static Optional<OwnNetwork> in(Path folder) {
        Daemon holder;
        try {
            holder = Daemon.start("network", folder, Map.of(), List.of("unshare", "--net", "sleep", "infinity"));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
        int number = Ports.free();
        String wire = "hp" + number;
        // From the range that is set aside for tests of networks: four addresses for each wire.
        String prefix = "198.18." + number / 256 + ".";
        int last = number % 256 / 4 * 4;
        String here = prefix + (last + 1);
        String there = prefix + (last + 2);
        String pid = Long.toString(holder.pid());
        OwnNetwork network = new OwnNetwork(holder, there);
        boolean made = network.isApart()
                && run("ip", "link", "add", wire, "type", "veth", "peer", "name", "wire", "netns", pid)
                && run("ip", "address", "add", here + "/30", "dev", wire)
                && run("ip", "link", "set", wire, "up")
                && network.inside("ip", "link", "set", "lo", "up")
                && network.inside("ip", "address", "add", there + "/30", "dev", "wire")
                && network.inside("ip", "link", "set", "wire", "up");
        if (made) {
            return Optional.of(network);
        }
        holder.kill();
        return Optional.empty();
    }

    private boolean isApart() {
        Path own = Path.of("/proc/self/ns/net");
        Path other = Path.of("/proc", Long.toString(holder.pid()), "ns/net");
        for (int attempt = 0; attempt < 50; attempt++) {
            try {
                if (!Files.readSymbolicLink(own).equals(Files.readSymbolicLink(other))) {
                    return true;
                }
                Thread.sleep(50);
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    private boolean inside(String... command) {
        List<String> all = new ArrayList<>(entering());
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    private static boolean run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What a command begins with that is to run in this network. */
    List<String> entering() {
        return List.of("nsenter", "--net=/proc/" + holder.pid() + "/ns/net");
    }

    /** Where the program is reached from here. */
    String address() {
        return address;
    }

    /** How many connections were attempted in this network since it began. */
    public long connectionsAskedFor() {
        return counter("snmp", "Tcp", "ActiveOpens");
    }

    /** How many connections the program accepted. */
    public long connectionsTaken() {
        return counter("snmp", "Tcp", "PassiveOpens");
    }

    /** Packets without connection: names are looked up with these. */
    public long datagramsSent() {
        return counter("snmp", "Udp", "OutDatagrams") + datagrams6();
    }

    private long counter(String file, String protocol, String name) {
        List<List<String>> rows = lines(file).stream()
                .filter(line -> line.startsWith(protocol + ":"))
                .map(line -> Arrays.asList(line.split("\\s+", -1)))
                .toList();
        return Long.parseLong(rows.get(1).get(rows.getFirst().indexOf(name)));
    }

    private long datagrams6() {
        return lines("snmp6").stream()
                .filter(line -> line.startsWith("Udp6OutDatagrams"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[1]))
                .sum();
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(
                    Path.of("/proc", Long.toString(holder.pid()), "net", file), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        holder.kill();
    }
}
