package dev.homeport.cli.setup;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.DocumentFiles;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport api METHOD PATH}: the API as it is. */
@Command(
        name = "api",
        description = "Send a raw request with the context's token, and print the response body.",
        footer = {"", "Example: homeport api GET '/api/v2/clusters?page_size=1'"})
final class ApiCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Parameters(index = "0", paramLabel = "METHOD", description = "GET, POST, PUT, PATCH or DELETE.")
    String method;

    @Parameters(index = "1", paramLabel = "PATH", description = "Path and query.")
    String path;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE|-",
            description = "The body.")
    @Nullable
    String file;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME: VALUE",
            description = "A header; for tokens use the context.")
    List<String> headers = List.of();

    @Override
    public Integer call() {
        ProcessEnvironment process = server.process();
        HomeportClient client = server.client();
        if (!path.startsWith("/") || !path.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new UsageProblem("the path begins with / and has only printable characters");
        }
        Map<String, String> sent = new HashMap<>();
        for (String header : headers) {
            String[] parts = header.split(":", 2);
            if (parts.length < 2 || parts[0].equalsIgnoreCase("authorization")) {
                throw new UsageProblem(
                        parts.length < 2 ? header + " is not NAME: VALUE" : "a token never comes by flag");
            }
            sent.put(parts[0].strip(), parts[1].strip());
        }
        String verb = method.toUpperCase(Locale.ROOT);
        if (verb.equals("GET") && sent.isEmpty() && file == null) {
            client.copy(path, process.out());
        } else {
            String type = sent.getOrDefault("Content-Type", sent.getOrDefault("content-type", "application/json"));
            Optional<HomeportClient.Payload> body = Optional.ofNullable(file)
                    .map(name -> name.equals("-") ? process.readAll() : DocumentFiles.text(process.file(name)))
                    .map(text -> new HomeportClient.Payload(type, text.getBytes(StandardCharsets.UTF_8)));
            process.out().println(client.send(verb, path, sent, body).body());
        }
        return ExitCodes.DONE;
    }
}
