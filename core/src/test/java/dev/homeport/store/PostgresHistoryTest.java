package dev.homeport.store;

class PostgresHistoryTest extends HistoryContract {
    @Override
    Backend fresh() {
        return PostgresBackend.fresh();
    }
}
