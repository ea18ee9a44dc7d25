package dev.homeport.server.audit;

import dev.homeport.access.MasterKey;
import dev.homeport.api.TrustedAuthorities;
import dev.homeport.change.Head;
import dev.homeport.change.History;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.Refusal;
import dev.homeport.server.config.AuditSettings;
import dev.homeport.server.http.Answered;
import dev.homeport.server.http.Plain;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** The streams that the settings ask for. */
public final class AuditService implements AutoCloseable {
    private final List<AuditForwarder> forwarders = new ArrayList<>();
    private final boolean reads;
    private final InstantSource clock;

    /**
     * @param folder where positions are kept
     * @param head the end of the log, or nothing on servers that do not forward commits
     */
    public AuditService(
            AuditSettings settings,
            Path folder,
            MasterKey master,
            History history,
            Supplier<Optional<Head>> head,
            InstantSource clock) {
        AuditLines lines = new AuditLines(master);
        settings.file()
                .ifPresent(file -> forwarders.add(new AuditForwarder(
                        new AuditFile(file, folder.resolve("audit-file.position"), lines),
                        lines,
                        history,
                        head,
                        clock)));
        settings.address()
                .ifPresent(address -> forwarders.add(new AuditForwarder(
                        new AuditEndpoint(
                                address, settings.secret(), settings.authority().map(TrustedAuthorities::in), folder),
                        lines,
                        history,
                        head,
                        clock)));
        this.reads = settings.reads();
        this.clock = clock;
    }

    public List<AuditForwarder> forwarders() {
        return forwarders;
    }

    /** Never waits. */
    public void denied(Refusal refusal) {
        forwarders.forEach(one -> one.offer(StrictJson.object()
                .put("kind", "denied")
                .put("at", refusal.at().toString())
                .put("actor", refusal.actor())
                .put("address", refusal.address())
                .put("method", refusal.method())
                .put("path", refusal.path())
                .put("status", refusal.status())
                .put("code", refusal.code())
                .put("detail", refusal.detail())
                .put("request_id", refusal.requestId())));
    }

    /** A refused attempt of which nothing is kept, because there were too many. */
    public void deniedUnseen() {
        forwarders.forEach(AuditForwarder::drop);
    }

    /** A request that was answered; only reads are of interest, and only where they are asked for. */
    public void answered(Answered answered) {
        if (!reads || !answered.method().equals("GET") || answered.actor().isEmpty() || answered.status() >= 400) {
            return;
        }
        for (AuditForwarder forwarder : forwarders) {
            ObjectNode event = StrictJson.object()
                    .put("kind", "read")
                    .put("at", clock.instant().toString())
                    .put("actor", answered.actor())
                    .put("address", answered.address())
                    .put("operation", answered.route())
                    .put("path", Plain.path(answered.path()))
                    .put("status", answered.status())
                    .put("request_id", answered.requestId());
            forwarder.offer(event);
        }
    }

    @Override
    public void close() {
        forwarders.forEach(AuditForwarder::close);
    }
}
