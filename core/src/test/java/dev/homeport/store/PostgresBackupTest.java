package dev.homeport.store;

class PostgresBackupTest extends BackupContract {
    @Override
    Backend fresh() {
        return PostgresBackend.fresh();
    }

    @Override
    Backend other() {
        return SqliteBackend.fresh();
    }
}
