package dev.homeport.support;

import dev.homeport.access.Actor;
import dev.homeport.change.Change;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import dev.homeport.change.Proposal;
import dev.homeport.document.Body;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Rendered;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.ConfirmationRequired;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.StoreInitializer;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** A real store, a real follower and a real writer, with a clock that tests turn. */
public final class TestFleet implements AutoCloseable {
    public static final Actor ALICE = new Actor(Actor.Kind.PERSON, "alice");

    /** What tests say about polls and drains. */
    public static final class Contact implements ClusterContact {
        public final Set<String> polled = new HashSet<>();
        public final Set<String> drained = new HashSet<>();
        public final Set<String> released = new HashSet<>();
        public final Set<String> served = new HashSet<>();
        public final Set<String> flat = new HashSet<>();
        public final List<String> left = new ArrayList<>();

        @Override
        public boolean pollsFlat(String cluster) {
            return flat.contains(cluster);
        }

        @Override
        public List<String> leftOn(String cluster) {
            return drained(cluster) ? List.of() : left;
        }

        @Override
        public boolean wasServed(String cluster) {
            return served.contains(cluster);
        }

        @Override
        public boolean mayHavePolled(String cluster) {
            return polled.contains(cluster);
        }

        @Override
        public boolean released(String cluster) {
            return released.contains(cluster);
        }

        @Override
        public boolean drained(String cluster) {
            return drained.contains(cluster);
        }
    }

    public final SqlStore store;
    public final LogFollower follower;
    public final Writer writer;
    public final Contact contact = new Contact();
    public Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public TestFleet(SqlStore store) {
        this.store = store;
        boolean fresh = store.head().revision() == 0;
        this.follower = open(store);
        this.writer = writer(new dev.homeport.access.Rights(() -> now));
        if (fresh) {
            StoreInitializer.initialize(writer);
        }
    }

    public Writer writer(dev.homeport.access.Permission permission) {
        byte[] key = "a key for tests".getBytes(StandardCharsets.UTF_8);
        return new Writer(store, follower, permission, new Confirmation(key), contact, () -> now);
    }

    public LogFollower open(ChangeLog log) {
        return LogFollower.open(log, noMark(), this::nanos, BuiltInTypes.catalog());
    }

    public static HighWaterMark noMark() {
        return new HighWaterMark() {
            @Override
            public Optional<Head> read() {
                return Optional.empty();
            }

            @Override
            public void remember(Head head) {}
        };
    }

    public static TestFleet sqlite(Path directory) {
        return new TestFleet(Stores.sqlite(directory, Opening.writer(() -> "test-store")));
    }

    public Snapshot snapshot() {
        return follower.live().current();
    }

    public void advance(Duration time) {
        now = now.plus(time);
    }

    /** The same time, for what counts nanoseconds. */
    public long nanos() {
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    public Outcome write(Operation... operations) {
        return writer.write(direct(operations));
    }

    /** As a person asks for it who names what is to be changed. */
    public static WriteRequest direct(Operation... operations) {
        WriteRequest request = WriteRequest.of(ALICE, "a test", operations);
        return operations.length == 1 ? request.with(WriteRequest.Flag.DIRECT) : request;
    }

    /** Writes, and confirms if that is asked for. */
    public Outcome confirm(Operation... operations) {
        WriteRequest request = direct(operations);
        try {
            return writer.write(request);
        } catch (ConfirmationRequired e) {
            return writer.write(request.confirmedBy(e.token()));
        }
    }

    public Outcome create(String type, String id, String json) {
        return write(creation(type, id, json));
    }

    /** Says this in the fleet's settings, beside what they say already. */
    public Outcome settings(String json) {
        return confirm(edit(Types.SETTINGS, FleetSettings.ID, body -> body.setAll(StrictJson.read(json))));
    }

    public static Operation creation(String type, String id, String json) {
        return new Operation.Create(new DocumentKey(type, id), StrictJson.read(json));
    }

    public static Operation edit(String type, String id, UnaryOperator<ObjectNode> change) {
        return new Operation.Edit(new DocumentKey(type, id), change, Expected.ANY);
    }

    public static Operation delete(String type, String id) {
        return new Operation.Delete(new DocumentKey(type, id), Expected.ANY);
    }

    public void component(String id) {
        component(id, "{}");
    }

    public void component(String id, String more) {
        ObjectNode body = StrictJson.read("""
                {"component_path": "apps/NAME/1.0.0", "component_version": "1.0.0", "kind": "helm",
                 "oci_url": "oci://registry.example.com/platform/NAME", "oci_tag": "v1.0.0"}""".replace("NAME", id));
        body.setAll(StrictJson.read(more));
        write(new Operation.Create(new DocumentKey(Types.PLATFORM_COMPONENT, id), body));
    }

    public void cluster(String id, String environment, String more) {
        ObjectNode body = StrictJson.object()
                .put("cluster_name", id)
                .put("cluster_dns", id + ".k8s.example.com")
                .put("environment", environment)
                .put("owner", "team-a");
        body.setAll(StrictJson.read(more));
        write(new Operation.Create(new DocumentKey(Types.CLUSTER, id), body));
        contact.polled.add(id);
    }

    /** Commits an edit straight to the log, past the writer and its checks: what a bug or an older release might leave. */
    public void appendBehind(Operation operation) {
        Operation.Edit edit = (Operation.Edit) operation;
        ObjectNode body =
                edit.change().apply(document(edit.key().type(), edit.key().id()).tree());
        store.append(new Proposal(
                store.head(),
                ALICE,
                "behind the writer's back",
                now,
                "",
                Optional.empty(),
                Map.of(),
                List.of(new Change.Put(edit.key(), Body.of(body)))));
        follower.catchUp();
    }

    public Document document(String type, String id) {
        return snapshot().find(new DocumentKey(type, id)).orElseThrow();
    }

    public Answer answer(String cluster, String plural) {
        return answer(snapshot(), cluster, plural);
    }

    public static Answer answer(FleetView view, String cluster, String plural) {
        TypeDefinition type = view.types().withPlural(plural).orElseThrow();
        Document document = view.document(Types.CLUSTER, cluster);
        if (document == null) {
            throw new IllegalArgumentException("no cluster " + cluster);
        }
        return Answers.of(view, document, type);
    }

    public Rendered rendered(String cluster, String plural, WireShape shape) {
        return Rendering.render((Answer.Served) answer(cluster, plural), shape);
    }

    public ObjectNode json(String cluster, String plural, WireShape shape) {
        return StrictJson.read(rendered(cluster, plural, shape).body());
    }

    @Override
    public void close() {
        store.close();
    }
}
