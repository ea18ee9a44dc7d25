package dev.homeport.cli.lifecycle;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code homeport decommission CLUSTER --grace 48h}. */
@Command(
        name = "decommission",
        description =
                "Decommission clusters: empty their answers, so that Flux removes everything; now, or after a grace period.",
        footer = {
            "",
            "Undo, until it is purged: homeport undelete cluster/NAME",
            "",
            "Example: homeport decommission lab-dev-00012 --grace 48h"
        })
final class DecommissionCommand implements Callable<Integer> {
    @Mixin
    LifeOptions life;

    @Option(names = "--grace", paramLabel = "TIME", description = "Grace period, as 48h, or a time; one cluster.")
    @Nullable
    String grace;

    @Option(names = "--delete-namespaces", description = "Delete namespaces too; they are kept by default.")
    boolean deleteNamespaces;

    @Override
    public Integer call() {
        String flag = "delete_namespaces";
        return grace == null
                ? life.run("decommission", flag, deleteNamespaces)
                : life.at("decommission", "at", grace, request -> request.asking(flag, deleteNamespaces ? "true" : ""));
    }
}
