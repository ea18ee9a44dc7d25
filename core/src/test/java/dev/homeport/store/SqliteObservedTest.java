package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.StoreUnavailable;
import dev.homeport.observe.Observations;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteObservedTest extends ObservedContract {
    @TempDir
    private Path directory;

    @Override
    Observations open(Opening.Mode mode) {
        return ObservedStores.sqlite(directory, mode, newName());
    }

    @Test
    void aFollowerMakesNoFile() {
        Path empty = directory.resolve("elsewhere");
        assertThatThrownBy(() -> ObservedStores.sqlite(empty, Opening.Mode.FOLLOWER, newName()))
                .isInstanceOf(StoreUnavailable.class);
        assertThat(empty).doesNotExist();
    }
}
