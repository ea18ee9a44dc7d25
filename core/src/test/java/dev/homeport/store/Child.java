package dev.homeport.store;

import static dev.homeport.store.Edit.put;

import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Head;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.snapshot.LogFollower;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What tests run in a process of its own. */
final class Child {
    private Child() {}

    /** Starts this class in a new JVM. The caller ends it. */
    static Process start(List<String> options, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static String line(Process child) throws IOException {
        return String.valueOf(reader(child).readLine());
    }

    static BufferedReader reader(Process child) {
        return child.inputReader(StandardCharsets.UTF_8);
    }

    public static void main(String[] arguments) throws Exception {
        String place = arguments[1];
        switch (arguments[0]) {
            case "writer" -> write(Path.of(place));
            case "follower" -> follow(Path.of(place));
            case "ledger" -> keepLedger(place, Path.of(arguments[2]));
            case "publish" -> publish(place, Path.of(arguments[2]));
            case "restore" -> restore(place, Path.of(arguments[2]));
            case "big" -> appendOneBigCommit(Path.of(place), Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** @param place a directory, or the address of a PostgreSQL database */
    private static SqlStore open(String place) {
        Opening opening = Opening.writer(() -> "store-1");
        return place.startsWith("jdbc:")
                ? Stores.postgres(new PostgresSettings(place, "postgres", "postgres"), opening)
                : Stores.sqlite(Path.of(place), opening);
    }

    private static void write(Path directory) {
        try (SqlStore store = Stores.sqlite(directory, Opening.writer(() -> "other"))) {
            say("opened " + store.head());
        } catch (StoreRefused e) {
            say("refused: " + e.getMessage());
        }
    }

    private static void follow(Path directory) throws InterruptedException {
        try (SqlStore store = Stores.sqlite(directory, Opening.follower())) {
            long seen = store.head().revision();
            say("at " + seen);
            while (true) {
                store.awaitBeyond(seen, Duration.ofSeconds(10));
                for (RecordedCommit commit : store.after(seen, 100)) {
                    seen = commit.commit().revision();
                    say("seen " + seen);
                }
            }
        }
    }

    /** Appends with eight threads and notes each commit in the ledger after it was acknowledged, until killed. */
    private static void keepLedger(String place, Path ledger) throws Exception {
        SqlStore store = open(place);
        FileChannel notes = FileChannel.open(ledger, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        long start = store.head().revision();
        for (int thread = 0; thread < 8; thread++) {
            String name = "r" + start + "-t" + thread + "-";
            Thread.ofPlatform().start(() -> appendForEver(store, notes, name));
        }
        Thread.sleep(Duration.ofMinutes(10));
    }

    private static void appendForEver(SqlStore store, FileChannel notes, String name) {
        Head head = store.head();
        for (int i = 0; ; ) {
            switch (put(name + i, "{\"n\":" + i + "}")
                    .andPut("shared", "{\"by\":\"" + name + i + "\"}")
                    .tryOn(store, head)) {
                case AppendResult.Appended appended -> {
                    head = store.head();
                    note(notes, appended.commit().revision() + " " + name + i + "\n");
                    i++;
                }
                case AppendResult.HeadMoved moved -> head = moved.head();
                case AppendResult.Replayed replayed -> throw new IllegalStateException(replayed.toString());
                case AppendResult.KeyReused reused -> throw new IllegalStateException(reused.toString());
            }
        }
    }

    /** Writes through the writer and notes each commit in the ledger after it was acknowledged, until killed. */
    private static void publish(String place, Path ledger) throws IOException {
        SqlStore store = open(place);
        Path folder = Path.of(String.valueOf(ledger.getParent()));
        LogFollower follower = LogFollower.open(store, HighWater.in(folder), System::nanoTime, BuiltInTypes.catalog());
        FileChannel notes = FileChannel.open(ledger, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        long start = store.head().revision();
        for (int i = 0; ; i++) {
            String id = "r" + start + "-" + i;
            AppendResult result = put(id, "{\"n\":" + i + "}")
                    .tryOn(store, follower.live().current().head());
            follower.catchUp();
            if (result instanceof AppendResult.Appended appended) {
                note(notes, appended.commit().revision() + " " + id + "\n");
            }
        }
    }

    private static void restore(String place, Path backup) throws IOException {
        try (SqlStore store = open(place);
                BufferedReader in = Files.newBufferedReader(backup)) {
            say("restored " + store.restore(in, revision -> {}));
        }
    }

    private static void note(FileChannel notes, String line) {
        try {
            notes.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void appendOneBigCommit(Path directory, int documents) {
        List<Change> changes = new ArrayList<>(documents);
        for (int i = 0; i < documents; i++) {
            changes.add(new Change.Put(new DocumentKey("cluster", "cluster-" + i), Edit.body(cluster(i))));
        }
        Edit edit = new Edit();
        changes.forEach(edit::and);
        changes.clear();
        try (SqlStore store = Stores.sqlite(directory, Opening.writer(() -> "store-1"))) {
            long start = System.nanoTime();
            AppendResult result = edit.tryOn(store, 0);
            say(result.getClass().getSimpleName() + " "
                    + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        }
    }

    /** About 1.5 KB of JSON, as a cluster with twenty components has. */
    private static String cluster(int i) {
        StringBuilder json = new StringBuilder(1_600);
        json.append("{\"id\":\"cluster-")
                .append(i)
                .append("\",\"dns\":\"cluster-")
                .append(i);
        json.append(".fleet.example.com\",\"environment\":\"prod\",\"workspace\":\"retail\",\"platform_components\":[");
        for (int component = 0; component < 20; component++) {
            json.append(component == 0 ? "" : ",");
            json.append("{\"id\":\"component-").append(component).append("\",\"enabled\":true,");
            json.append("\"oci_tag\":\"v1.2.").append((i + component) % 50).append("\"}");
        }
        return json.append("]}").toString();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
