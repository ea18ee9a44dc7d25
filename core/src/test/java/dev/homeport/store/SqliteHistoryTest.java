package dev.homeport.store;

class SqliteHistoryTest extends HistoryContract {
    @Override
    Backend fresh() {
        return SqliteBackend.fresh();
    }
}
