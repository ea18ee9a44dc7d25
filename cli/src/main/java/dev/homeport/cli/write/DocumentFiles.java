package dev.homeport.cli.write;

import dev.homeport.api.FileTrouble;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents in files, in folders and on standard input: YAML or JSON, one or many, or a whole export. */
public final class DocumentFiles {
    private final ProcessEnvironment process;

    public DocumentFiles(ProcessEnvironment process) {
        this.process = process;
    }

    /** A document and where it stands. */
    public record Entry(ObjectNode document, String place) {
        public String type() {
            return document.path("type").asString("");
        }

        public String id() {
            return document.path("id").asString(document.path("spec").path("id").asString(""));
        }

        public ObjectNode spec() {
            return (ObjectNode) document.path("spec");
        }
    }

    public List<Entry> read(List<String> files) {
        List<Entry> all = new ArrayList<>();
        for (String file : files) {
            if (file.equals("-")) {
                read(process.readAll(), "standard input", all);
            } else {
                paths(process.file(file)).forEach(path -> read(text(path), path.toString(), all));
            }
        }
        if (all.isEmpty()) {
            throw new UsageProblem("there are no documents in " + String.join(", ", files)
                    + ": they look as homeport get -o yaml prints them");
        }
        refuseTwice(all);
        return all;
    }

    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new UsageProblem("there is no file " + file + ": name a file, a folder, or - for standard input");
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + FileTrouble.why(e), e);
        }
    }

    private static List<Path> paths(Path file) {
        if (!Files.isDirectory(file)) {
            return List.of(file);
        }
        try (Stream<Path> inside = Files.walk(file)) {
            return inside.filter(DocumentFiles::isDocument).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + FileTrouble.why(e), e);
        }
    }

    private static boolean isDocument(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && name.matches(".*\\.(yaml|yml|json|jsonl)");
    }

    private static void read(String text, String source, List<Entry> all) {
        int number = 0;
        for (JsonNode document : documents(text, source)) {
            number++;
            List<JsonNode> inside = new ArrayList<>();
            if (document.isArray()) {
                document.forEach(inside::add);
            } else if (document.has("homeport_export")) {
                document.path("documents").forEach(inside::add);
            } else if (!document.isNull()) {
                inside.add(document);
            }
            for (JsonNode one : inside) {
                all.add(entry(one, source + ", document " + (inside.size() > 1 ? all.size() + 1 : number)));
            }
        }
    }

    private static List<JsonNode> documents(String text, String source) {
        try {
            return YamlText.readAll(text);
        } catch (JacksonException e) {
            throw new UsageProblem(source + " cannot be read as YAML or JSON: " + e.getOriginalMessage());
        }
    }

    private static Entry entry(JsonNode node, String place) {
        if (!(node instanceof ObjectNode document)
                || !document.path("type").isString()
                || !document.path("spec").isObject()) {
            throw new UsageProblem(place + ": a document has type, id and spec, as homeport get -o yaml shows them");
        }
        Entry entry = new Entry(document, place);
        if (entry.id().isEmpty()) {
            throw new UsageProblem(place + ": the " + entry.type() + " has no id");
        }
        return entry;
    }

    private static void refuseTwice(List<Entry> all) {
        Map<String, String> seen = new HashMap<>();
        for (Entry entry : all) {
            String name = entry.type() + "/" + entry.id();
            String before = seen.put(name, entry.place());
            if (before != null) {
                throw new UsageProblem(name + " is there twice: in " + before + " and in " + entry.place());
            }
        }
    }
}
