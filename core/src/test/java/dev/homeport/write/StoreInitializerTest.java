package dev.homeport.write;

import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.Rendering;
import dev.homeport.json.StrictJson;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.store.SharedPostgres;
import dev.homeport.store.SqlStore;
import dev.homeport.support.FleetTest;
import dev.homeport.support.TestFleet;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A new store begins with the newest format of answers, an older one stays at its own, and none goes back unasked. */
class StoreInitializerTest extends FleetTest {
    private static final DocumentKey SETTINGS = new DocumentKey(Types.SETTINGS, FleetSettings.ID);

    private int format() {
        return FleetSettings.of(fleet.snapshot()).answerFormat();
    }

    private void asked(Operation operation) {
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operation));
        assertThat(asked).hasMessageContaining("needs a confirmation");
        assertThat(asked.plan().guards()).anySatisfy(guard -> assertThat(guard).contains("in format 1 again"));
        assertThat(format()).isEqualTo(Rendering.NEWEST_FORMAT);
    }

    @Test
    void aNewStoreBeginsWithTheNewestFormatInItsFirstCommit() {
        assertThat(fleet.snapshot().revision()).isEqualTo(1);
        assertThat(fleet.snapshot().find(SETTINGS).orElseThrow().tree().toString())
                .isEqualTo("{\"answer_format\":" + Rendering.NEWEST_FORMAT + ",\"id\":\"fleet\"}");
    }

    @Test
    void aStoreThatSaysNothingStaysAtTheFirstFormat() {
        fleet.confirm(delete(Types.SETTINGS, FleetSettings.ID));
        long head = fleet.snapshot().revision();
        restart();
        StoreInitializer.roles(fleet.writer);
        assertThat(fleet.snapshot().revision()).isEqualTo(head);
        assertThat(fleet.snapshot().find(SETTINGS)).isEmpty();
        assertThat(format()).isEqualTo(1);
        committed(new Operation.Put(SETTINGS, StrictJson.object().put("description", "Words.")));
        assertThat(format()).isEqualTo(1);
    }

    @Test
    void theFormatGoesBackOnlyWhenSomebodyConfirmsThat() {
        asked(new Operation.Put(SETTINGS, StrictJson.object().put("description", "Words.")));
        asked(edit(Types.SETTINGS, FleetSettings.ID, body -> body.without("answer_format")));
        asked(edit(Types.SETTINGS, FleetSettings.ID, body -> body.put("answer_format", 1)));
        asked(delete(Types.SETTINGS, FleetSettings.ID));
        committed(edit(Types.SETTINGS, FleetSettings.ID, body -> body.put("description", "Words.")));
        fleet.confirm(edit(Types.SETTINGS, FleetSettings.ID, body -> body.put("answer_format", 1)));
        assertThat(format()).isEqualTo(1);
        committed(edit(Types.SETTINGS, FleetSettings.ID, body -> body.put("answer_format", 2)));
    }

    @Test
    void settingsThatCannotBeReadMayHaveSaidTheNewest() {
        damage(Types.SETTINGS, FleetSettings.ID);
        Operation repair = new Operation.Put(SETTINGS, StrictJson.object());
        assertThat(catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(repair)))
                .isNotNull();
        fleet.write(new Operation.Put(SETTINGS, StrictJson.object().put("answer_format", Rendering.NEWEST_FORMAT)));
        assertThat(format()).isEqualTo(Rendering.NEWEST_FORMAT);
    }

    @Test
    void theFirstCommitIsMadeOnceByWhicheverServerIsFaster() {
        try (SharedPostgres postgres = new SharedPostgres();
                SqlStore one = postgres.servers().get();
                SqlStore two = postgres.servers().get()) {
            Writer first = server(one);
            Writer second = server(two);
            assertThat(StoreInitializer.initialize(first)).isTrue();
            assertThat(StoreInitializer.initialize(second)).isFalse();
            assertThat(two.head().revision()).isEqualTo(1);
        }
    }

    private static Writer server(SqlStore store) {
        return new Writer(
                store,
                LogFollower.open(store, TestFleet.noMark(), System::nanoTime, BuiltInTypes.catalog()),
                new dev.homeport.access.Rights(Instant::now),
                new Confirmation("a key for tests".getBytes(StandardCharsets.UTF_8)),
                ClusterContact.UNKNOWN,
                Instant::now);
    }
}
