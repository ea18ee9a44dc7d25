package dev.homeport.bench.faults;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerUnreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Changes the fleet while its server stops and starts. Each change is tried until it is known to be done. */
final class Edits {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int TIERS = 4;

    private final HomeportClient admin;
    private final FaultOptions options;
    private final Random random;
    private final List<Removal> removals = new ArrayList<>();
    private final int round;
    private int done;

    /** @param round each takes things away from other clusters */
    Edits(HomeportClient admin, FaultOptions options, int round) {
        this.admin = admin;
        this.options = options;
        this.round = round;
        this.random = new Random(options.seed() + round);
    }

    /** Something that must be removed from a cluster. */
    record Removal(String cluster, String plural, String id) {}

    List<Removal> removals() {
        return List.copyOf(removals);
    }

    int done() {
        return done;
    }

    /** Makes the next change; every n-th takes something away that needs a confirmation. */
    void next(int number) throws InterruptedException {
        int every = Math.max(1, options.writes() / Math.max(1, options.removals()));
        if (number % every == 0 && number / every < options.removals()) {
            confirmedRemoval(number / every);
        } else if (number % every == 1 && number / every < options.removals()) {
            ownRemoval(number / every);
        } else if (number % 40 == 2) {
            bump(number);
        } else {
            label(number);
        }
        done++;
    }

    /** Of a cluster of the last tier: a stateful component, a namespace, or all role bindings that it has. */
    private void confirmedRemoval(int number) throws InterruptedException {
        int cluster = first(number) + TIERS - 1;
        Removal removal = switch (number % 3) {
            case 0 -> new Removal(id(cluster), "rolebindings", "sim-view-" + cluster % 3);
            case 1 -> new Removal(id(cluster), "platform-components", "sim-part-5");
            default -> new Removal(id(cluster), "namespaces", "sim-space-2");
        };
        remove(removal);
    }

    /** Of a cluster that is not protected: an edit that needs no confirmation. */
    private void ownRemoval(int number) throws InterruptedException {
        remove(new Removal(id(first(number)), "platform-components", "sim-part-4"));
    }

    private int first(int number) {
        return (round * options.removals() + number) * TIERS;
    }

    private void remove(Removal removal) throws InterruptedException {
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        patch.putArray(removal.plural().replace('-', '_'))
                .addObject()
                .put("id", removal.id())
                .put("$remove", true);
        merge("cluster", removal.cluster(), patch, "no longer needed");
        removals.add(removal);
    }

    /** A new version for every cluster that has it. */
    private void bump(int number) throws InterruptedException {
        ObjectNode patch = JsonMapper.shared().createObjectNode().put("oci_tag", "2." + round + "." + number);
        merge("platform_component", "sim-part-2", patch, "a new version");
    }

    private void label(int number) throws InterruptedException {
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        patch.putObject("labels").put("round", "r" + number);
        merge("cluster", id(random.nextInt(options.clusters())), patch, "a label");
    }

    static String id(int number) {
        return String.format(java.util.Locale.ROOT, "sim-%06d", number);
    }

    private void merge(String type, String id, ObjectNode patch, String reason) throws InterruptedException {
        ObjectNode body = JsonMapper.shared().createObjectNode().put("reason", reason);
        body.putArray("operations")
                .addObject()
                .put("op", "merge")
                .put("type", type)
                .put("id", id)
                .set("patch", patch);
        Map<String, String> headers = new HashMap<>();
        headers.put("Idempotency-Key", UUID.randomUUID().toString());
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                admin.send("POST", "/api/v2/changes", headers, Optional.of(HomeportClient.Payload.json(body)));
                return;
            } catch (ServerUnreachable e) {
                if (System.nanoTime() > until) {
                    throw e;
                }
            } catch (ApiProblem e) {
                boolean asks = e.code() == ErrorCode.CONFIRMATION_REQUIRED || e.code() == ErrorCode.PLAN_CHANGED;
                if (!asks && e.code() != ErrorCode.UNAVAILABLE || System.nanoTime() > until) {
                    throw e;
                }
                if (asks) {
                    headers.put(
                            "Homeport-Confirm", e.body().path("confirmation").asString(""));
                    continue;
                }
            }
            Thread.sleep(PAUSE);
        }
    }
}
