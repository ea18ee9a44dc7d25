package dev.homeport.e2e.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Looks again and again at the sockets of processes, as the kernel lists them, and remembers which they opened themselves. */
public final class Connections implements AutoCloseable {
    private static final long PAUSE_MS = 200;
    private static final String LISTENING = "0A";

    private final Map<String, LongSupplier> watched = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> opened = new ConcurrentHashMap<>();
    private final Map<String, Integer> looks = new ConcurrentHashMap<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("connections").unstarted(this::look);

    Connections() {
        thread.start();
    }

    /** @param pid read each time, as a process may be replaced; zero without a process */
    void watch(String name, LongSupplier pid) {
        opened.put(name, ConcurrentHashMap.newKeySet());
        looks.put(name, 0);
        watched.put(name, pid);
    }

    /** Addresses that the process connected to, as far as a look five times a second shows. */
    public Set<String> openedBy(String name) {
        return new TreeSet<>(opened.get(name));
    }

    /** How often was looked. */
    public int looksAt(String name) {
        return looks.getOrDefault(name, 0);
    }

    private void look() {
        try {
            while (!Thread.interrupted()) {
                for (Map.Entry<String, LongSupplier> entry : watched.entrySet()) {
                    long pid = entry.getValue().getAsLong();
                    if (pid != 0) {
                        lookAt(entry.getKey(), pid);
                    }
                }
                Thread.sleep(PAUSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAt(String name, long pid) {
        try {
            Set<String> own = sockets(pid);
            Map<String, String[]> all = new TreeMap<>();
            read(Path.of("/proc", Long.toString(pid), "net/tcp"), all);
            read(Path.of("/proc", Long.toString(pid), "net/tcp6"), all);
            all.keySet().retainAll(own);
            Set<String> listening = new HashSet<>();
            all.values().stream().filter(row -> row[3].equals(LISTENING)).forEach(row -> listening.add(port(row[1])));
            all.values().stream()
                    .filter(row -> !row[3].equals(LISTENING) && !listening.contains(port(row[1])))
                    .forEach(row -> opened.get(name).add(address(row[2])));
            looks.merge(name, 1, Integer::sum);
        } catch (IOException | java.io.UncheckedIOException e) {
            // It ended while it was looked at.
        }
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path file : files.toList()) {
                String target;
                try {
                    target = Files.readSymbolicLink(file).toString();
                } catch (IOException e) {
                    continue; // closed meanwhile
                }
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    private static void read(Path table, Map<String, String[]> into) throws IOException {
        for (String line : Files.readAllLines(table)) {
            String[] row = line.strip().split("\\s+");
            if (row.length > 9 && row[0].endsWith(":")) {
                into.put(row[9], row);
            }
        }
    }

    private static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }

    /** The last four bytes are the IPv4 address, turned around. */
    private static String address(String hex) {
        String host = hex.substring(0, hex.indexOf(':'));
        String four = host.substring(host.length() - 8);
        StringBuilder text = new StringBuilder();
        for (int i = 6; i >= 0; i -= 2) {
            text.append(Integer.parseInt(four.substring(i, i + 2), 16)).append(i > 0 ? "." : "");
        }
        return text + ":" + Integer.parseInt(port(hex), 16);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
