package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Rights;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.ForwardingLog;
import dev.homeport.change.Head;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.support.FleetTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose memory is behind the log, because another one has written, does not refuse for what is no longer so. */
class OtherServersTest extends FleetTest {
    private Writer behind;

    /** Its follower is never run, so it knows what it was opened with and what its own writes make it read. */
    @BeforeEach
    void openAnother() {
        fleet.create(Types.NAMESPACE, "here", "{}");
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"fleet\": true}, \"reason\": \"holidays\"}");
        behind = writer(fleet.store, fleet.open(fleet.store));
    }

    private Writer writer(ChangeLog log, LogFollower follower) {
        byte[] key = "a key for tests".getBytes(StandardCharsets.UTF_8);
        return new Writer(
                log, follower, new Rights(() -> fleet.now), new Confirmation(key), fleet.contact, () -> fleet.now);
    }

    private Outcome behind(Operation operation) {
        return behind.write(WriteRequest.of(ALICE, "a test", operation));
    }

    @Test
    void whatWasDeletedElsewhereCanBeMade() {
        fleet.write(delete(Types.NAMESPACE, "here"));
        assertThat(behind(creation(Types.NAMESPACE, "here", "{}"))).isInstanceOf(Outcome.Committed.class);
    }

    /** The follower reads on while a write is being refused. */
    @Test
    void whatIsReadAfterARefusalWasDecidedCounts() {
        LogFollower follower = fleet.open(fleet.store);
        Writer writer = writer(
                new ForwardingLog() {
                    @Override
                    protected ChangeLog log() {
                        return fleet.store;
                    }

                    @Override
                    public Head head() {
                        follower.catchUp();
                        return super.head();
                    }
                },
                follower);
        fleet.write(delete(Types.NAMESPACE, "here"));
        Operation creation = creation(Types.NAMESPACE, "here", "{}");
        assertThat(writer.write(WriteRequest.of(ALICE, "a test", creation))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void whatWasMadeElsewhereCanBeChangedAndDeleted() {
        fleet.create(Types.NAMESPACE, "new", "{}");
        assertThat(behind(edit(Types.NAMESPACE, "new", body -> body.put("description", "x"))))
                .isInstanceOf(Outcome.Committed.class);
        fleet.follower.catchUp();
        fleet.create(Types.NAMESPACE, "newer", "{}");
        assertThat(behind(delete(Types.NAMESPACE, "newer"))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void theVersionThatWasMadeElsewhereIsTheOneToChange() {
        fleet.write(edit(Types.NAMESPACE, "here", body -> body.put("description", "elsewhere")));
        long revision = fleet.document(Types.NAMESPACE, "here").updated().revision();
        Operation replace = new Operation.Replace(
                new DocumentKey(Types.NAMESPACE, "here"),
                StrictJson.read("{\"description\": \"here\"}"),
                new Expected.Revision(revision));
        assertThat(behind(replace)).isInstanceOf(Outcome.Committed.class);
        refused(ErrorCode.STALE, () -> behind(replace));
    }

    @Test
    void aFreezeThatWasLiftedElsewhereHoldsNothing() {
        Operation change = edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0"));
        refused(ErrorCode.FROZEN, () -> behind(change));
        fleet.write(delete(Types.FREEZE, "xmas"));
        assertThat(behind(change)).isInstanceOf(Outcome.Committed.class);
    }
}
