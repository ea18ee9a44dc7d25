package dev.homeport.cli.change;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.FileTrouble;
import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport edit TYPE/NAME}: the document in your editor. */
@Command(
        name = "edit",
        description = "Edit a document in $VISUAL or $EDITOR.",
        footer = {"", "If the document has changed meanwhile, nothing is written and your text is kept."})
final class EditCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "TYPE NAME", arity = "1..*", description = "A type and a name, or TYPE/NAME.")
    List<String> words;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        List<Reference> named = Reference.all(words, client);
        if (named.size() != 1) {
            throw new UsageProblem("edit is for one document: TYPE/NAME");
        }
        if (editor().isEmpty() && !server.process().terminals().in()) {
            throw new UsageProblem(
                    "there is no terminal for an editor: use homeport patch, or set EDITOR to a program that"
                            + " needs none");
        }
        Reference one = named.getFirst();
        HomeportClient.Answer answer = client.get(one.path());
        JsonNode before = answer.body().path("spec");
        Path file = temporary(one);
        String fault = "";
        put(file, YamlText.write(before));
        while (true) {
            open(file, fault);
            String text = DocumentFiles.text(file);
            if (text.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
                server.process().err().println("the text is empty; nothing was changed");
                delete(file);
                return ExitCodes.DONE;
            }
            try {
                JsonNode after = YamlText.read(text);
                if (after.equals(before)) {
                    server.process().err().println("nothing was changed");
                    delete(file);
                    return ExitCodes.DONE;
                }
                ObjectNode body = JsonMapper.shared().createObjectNode();
                body.set("spec", after);
                int exit = write.run(
                        server,
                        new WriteRequest("PUT", one.path(), Map.of(), Optional.of(HomeportClient.Payload.json(body)))
                                .with("If-Match", answer.header("ETag")));
                delete(file);
                return exit;
            } catch (JacksonException e) {
                fault = "this is not YAML: " + e.getOriginalMessage();
            } catch (ApiProblem e) {
                if (e.code() != ErrorCode.INVALID) {
                    server.process().err().println("your text is kept in " + file);
                    throw e;
                }
                fault = e.getMessage() + "\n" + String.join("\n", e.violations());
            }
            if (!server.process().terminals().in()) {
                throw new ExitException(
                        ExitCodes.FAILED, fault.lines().findFirst().orElse("") + "; your text is kept in " + file);
            }
        }
    }

    private Optional<String> editor() {
        return server.process().variable("VISUAL").or(() -> server.process().variable("EDITOR"));
    }

    private void open(Path file, String fault) {
        if (!fault.isEmpty()) {
            String text = DocumentFiles.text(file);
            put(
                    file,
                    String.join("\n", fault.lines().map(line -> "# " + line).toList()) + "\n"
                            + text.replaceFirst("^(#.*\n)*", ""));
        }
        String editor = editor().orElse("vi");
        try {
            // As others do it: the variable may hold a command with arguments.
            int exit = new ProcessBuilder("sh", "-c", editor + " \"$1\"", "sh", file.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new ExitException(ExitCodes.FAILED, editor + " failed; your text is kept in " + file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(editor + " cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExitException(ExitCodes.INTERRUPTED, "interrupted; your text is kept in " + file);
        }
    }

    private static Path temporary(Reference one) {
        try {
            return Files.createTempFile(
                    "homeport-" + one.kind().plural() + "-",
                    ".yaml",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            throw new UncheckedIOException("there is no place for a temporary file: " + e.getMessage(), e);
        }
    }

    private static void put(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written: " + FileTrouble.why(e), e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // a leftover in the folder for temporary files
        }
    }
}
