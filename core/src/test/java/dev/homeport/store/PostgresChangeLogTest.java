package dev.homeport.store;

class PostgresChangeLogTest extends ChangeLogContract {
    @Override
    Backend fresh() {
        return PostgresBackend.fresh();
    }
}
