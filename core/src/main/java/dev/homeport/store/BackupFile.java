package dev.homeport.store;

import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lines of a backup: a head, each commit followed by its changes, and an end. The same for every database. Payloads are
 * kept as the text they were written as, so that their digests still hold.
 */
final class BackupFile {
    private static final String FORMAT = "homeport-backup-1";

    private BackupFile() {}

    static ObjectNode header(BackupHeader header) {
        Head head = header.head();
        ObjectNode line = StrictJson.object()
                .put("format", FORMAT)
                .put("store_id", head.storeId())
                .put("epoch", head.epoch())
                .put("revision", head.revision())
                .put("hash", head.hash());
        header.masterKey().ifPresent(key -> line.put("master_key", key));
        return line;
    }

    static BackupHeader header(ObjectNode line) {
        if (!line.path("format").stringValue("").equals(FORMAT)) {
            throw new StoreRefused("this is not a backup that this Homeport can read");
        }
        return new BackupHeader(
                new Head(
                        line.get("store_id").stringValue(),
                        line.get("epoch").longValue(),
                        line.get("revision").longValue(),
                        line.get("hash").stringValue()),
                Optional.ofNullable(line.get("master_key")).map(JsonNode::stringValue));
    }

    static ObjectNode commit(Commit commit, Optional<String> requestDigest) {
        ObjectNode line = StrictJson.object()
                .put("revision", commit.revision())
                .put("epoch", commit.epoch())
                .put("time", MicroTime.floor(commit.at()))
                .put("actor", commit.actor().toString())
                .put("reason", commit.reason())
                .put("request_id", commit.requestId())
                .put("marks", RowJson.ofMarks(commit.marks()))
                .put("changes", commit.changeCount())
                .put("previous_hash", commit.previousHash())
                .put("hash", commit.hash());
        commit.idempotencyKey().ifPresent(key -> line.put("idempotency_key", key));
        requestDigest.ifPresent(digest -> line.put("request_digest", digest));
        return line;
    }

    static ObjectNode change(ChangeRows.Row change) {
        ObjectNode line = StrictJson.object()
                .put("type", change.key().type())
                .put("id", change.key().id())
                .put("payload_digest", change.payloadDigest())
                .put("before_digest", change.beforeDigest())
                .put("redacted", change.redacted());
        byte[] payload = change.payload();
        if (payload != null) {
            line.put("payload", new String(payload, StandardCharsets.UTF_8));
        }
        return line;
    }

    static ObjectNode end(long revision) {
        return StrictJson.object().put("end", revision);
    }

    static ObjectNode parse(String line) {
        try {
            return RowJson.tree(line.getBytes(StandardCharsets.UTF_8));
        } catch (JacksonException | ClassCastException e) {
            throw new StoreRefused("this is not a backup: it has a line that is not JSON");
        }
    }
}
