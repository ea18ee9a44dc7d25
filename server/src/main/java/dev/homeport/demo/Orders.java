package dev.homeport.demo;

import dev.homeport.api.PrivateFile;
import dev.homeport.sim.Simulation;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** What is asked of a demo that runs, from another terminal: a file with the wish, and a file with what was done. */
final class Orders {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]+)?)%");
    private static final String CAUSE = "Health check failed after 30s: timeout waiting for:"
            + " [DaemonSet/kube-system/cluster-baseline status: 'InProgress']: image pull: 503 from registry.example.com";
    private static final int MOST_NAMED = 5;

    private final DemoFolder folder;

    Orders(DemoFolder folder) {
        this.folder = folder;
    }

    /** Does what is asked, until the thread is interrupted. */
    void serve(Simulation simulation) {
        try {
            while (true) {
                Thread.sleep(LOOK);
                if (Files.exists(folder.order())) {
                    serveOne(simulation);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One that cannot be read, or not answered, is no reason to hear no other. */
    private void serveOne(Simulation simulation) {
        try {
            String order = DemoFolder.text(folder.order()).strip();
            DemoFolder.delete(folder.order());
            PrivateFile.write(folder.reply(), carryOut(order, simulation));
        } catch (UncheckedIOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // Logged here: the sender of an order has no log.
            LoggerFactory.getLogger(Orders.class).warn("an order was not carried out: {}", e.getMessage());
        }
    }

    private static String carryOut(String order, Simulation simulation) {
        if (order.equals("heal")) {
            List<String> healed = simulation.heal();
            return healed.isEmpty()
                    ? "nothing was broken by `demo break`; what fails otherwise has a reason: homeport findings"
                    : named(healed) + " can pull images again and will report so";
        }
        List<String> broken = simulation.breakSome(share(order.substring("break ".length())), CAUSE);
        return broken.isEmpty()
                ? "there is no cluster left to break"
                : named(broken) + " cannot pull images any more; look: homeport get clusters --filter state:failing";
    }

    private static String named(List<String> clusters) {
        String some = String.join(", ", clusters.subList(0, Math.min(MOST_NAMED, clusters.size())));
        String more = clusters.size() > MOST_NAMED ? " and " + (clusters.size() - MOST_NAMED) + " more" : "";
        return clusters.size() + (clusters.size() == 1 ? " cluster (" : " clusters (") + some + more + ")";
    }

    /** A share of all clusters, such as 5%. */
    static double share(String text) {
        Matcher share = SHARE.matcher(text);
        double percent = share.matches() ? Double.parseDouble(share.group(1)) : -1;
        if (percent <= 0 || percent > 100) {
            throw new IllegalArgumentException("\"" + text + "\" is not a share of the clusters: write it like 5%");
        }
        return percent / 100;
    }

    /** Asks the demo that runs; nothing when none does, or when it does not answer. */
    Optional<String> give(String order) throws InterruptedException {
        if (folder.runningProcess().isEmpty()) {
            return Optional.empty();
        }
        DemoFolder.delete(folder.reply());
        PrivateFile.write(folder.order(), order.toLowerCase(Locale.ROOT));
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < until) {
            Thread.sleep(LOOK);
            if (Files.exists(folder.reply())) {
                return Optional.of(DemoFolder.text(folder.reply()));
            }
        }
        return Optional.empty();
    }
}
