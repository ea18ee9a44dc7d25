package dev.homeport.server.admin;

import dev.homeport.server.FluxOperatorCli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The real kustomize, as kubectl has it. */
record Kustomize(Path binary) {
    /** Skips the test where the binary was never built: {@code ./e2e/run} builds it. */
    static Kustomize find() {
        return new Kustomize(FluxOperatorCli.binary("kubectl"));
    }

    List<JsonNode> build(Path folder) {
        try {
            Process process = new ProcessBuilder(binary.toString(), "kustomize", folder.toString())
                    .redirectErrorStream(true)
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("kustomize does not build " + folder + ": " + out);
            }
            return FluxOperatorCli.documents(FluxOperatorCli.readable(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
