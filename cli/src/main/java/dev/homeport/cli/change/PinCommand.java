package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.Times;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport pin COMPONENT --oci-tag T -l env=dev --ttl 7d}. */
@Command(
        name = "pin",
        description = "Override a component's version on clusters or a layer that already have it.",
        footer = {
            "",
            "When the pin expires, the override is removed and the component stays.",
            "",
            "Example: homeport pin grafana --path observability/grafana/17.1.0 --oci-tag v1.1.0-rc1 -l env=dev --ttl 7d"
        })
final class PinCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    AssignOptions where;

    @Parameters(paramLabel = "COMPONENT", description = "The component.")
    String component;

    @Option(names = "--path", paramLabel = "PATH", description = "component_path instead of the catalog's.")
    @Nullable
    String path;

    @Option(names = "--oci-tag", paramLabel = "TAG", description = "oci_tag instead of the catalog's.")
    @Nullable
    String tag;

    @Option(names = "--disable", description = "Keep it assigned, do not install it.")
    boolean disable;

    @Option(names = "--ttl", paramLabel = "TIME", description = "Expiry of the pin, as 7d, or a time.")
    @Nullable
    String ttl;

    @Option(names = "--owner", paramLabel = "NAME", description = "Responsible team or person.")
    @Nullable
    String owner;

    @Override
    public Integer call() {
        if (path == null && tag == null && !disable) {
            throw new UsageProblem("say what to pin: --path, --oci-tag or --disable");
        }
        HomeportClient client = server.client();
        ObjectNode override = JsonMapper.shared().createObjectNode();
        AssignOptions.put(override, "component_path", path);
        AssignOptions.put(override, "oci_tag", tag);
        AssignOptions.put(override, "owner", owner);
        AssignOptions.put(override, "reason", write.reason());
        AssignOptions.put(override, "expires_at", ttl == null ? null : Times.ahead(server.process(), ttl));
        if (disable) {
            override.put("enabled", false);
        }
        return write.run(
                server,
                WriteRequest.change(
                        Overrides.set(where.targets(server, client).documents(client), component, override)));
    }
}
