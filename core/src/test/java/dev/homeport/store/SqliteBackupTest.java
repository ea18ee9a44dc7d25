package dev.homeport.store;

class SqliteBackupTest extends BackupContract {
    @Override
    Backend fresh() {
        return SqliteBackend.fresh();
    }

    @Override
    Backend other() {
        return PostgresBackend.fresh();
    }
}
