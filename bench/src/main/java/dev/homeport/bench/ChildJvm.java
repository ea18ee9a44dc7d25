package dev.homeport.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Runs a measurement in a JVM of its own, so that one does not leave its garbage and its compiled code to the next. */
public final class ChildJvm {
    private static final String RESULT = "RESULT ";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ChildJvm() {}

    /** Starts a main class with the class path of this JVM and returns the figures that it reports. */
    public static Map<String, Object> run(List<String> options, Class<?> main, List<String> args) throws IOException {
        return run(List.of(), options, main, args);
    }

    /** The same by way of another command, such as one that chooses the processor. */
    public static Map<String, Object> run(List<String> by, List<String> options, Class<?> main, List<String> args)
            throws IOException {
        List<String> command = new ArrayList<>(by);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(args);
        Process child = Isolated.process(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Map<String, Object> figures = figures(child);
            int exit = child.waitFor();
            if (exit != 0) {
                throw new IllegalStateException(
                        main.getSimpleName() + " " + String.join(" ", args) + " ended with " + exit);
            }
            return figures;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a measurement was running", e);
        } finally {
            child.destroy();
        }
    }

    private static Map<String, Object> figures(Process child) {
        Map<String, Object> figures = new LinkedHashMap<>();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(RESULT)) {
                    figures.putAll(JSON.readValue(line.substring(RESULT.length()), new TypeReference<>() {}));
                } else {
                    System.err.println(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return figures;
    }

    /** Called in the child: hands figures to the parent. */
    public static void report(Map<String, ?> figures) {
        System.out.println(RESULT + JSON.writeValueAsString(figures));
    }
}
