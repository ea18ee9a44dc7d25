package dev.homeport.cli.change;

import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.Placed;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** {@code homeport create -f FILE}: rejects documents that exist already. */
@Command(name = "create", description = "Create documents; existing ones are rejected.")
final class CreateCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE|DIR|-",
            description = "YAML or JSON, several documents.")
    List<String> files;

    @Override
    public Integer call() {
        List<DocumentFiles.Entry> entries = new DocumentFiles(server.process()).read(files);
        if (entries.size() == 1) {
            DocumentFiles.Entry only = entries.getFirst();
            Kind kind = Kind.of(only.type(), server.client());
            return write.run(server, WriteRequest.post(kind.path(), only.document()));
        }
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        entries.forEach(entry -> operations
                .addObject()
                .put("op", "create")
                .put("type", entry.type())
                .put("id", entry.id())
                .set("spec", entry.spec()));
        return Placed.at(entries, () -> write.run(server, WriteRequest.change(operations)));
    }
}
