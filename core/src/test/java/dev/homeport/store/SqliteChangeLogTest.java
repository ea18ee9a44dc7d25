package dev.homeport.store;

class SqliteChangeLogTest extends ChangeLogContract {
    @Override
    Backend fresh() {
        return SqliteBackend.fresh();
    }
}
