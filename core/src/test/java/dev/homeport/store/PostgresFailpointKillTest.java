package dev.homeport.store;

/** The database goes on, and ends what the process had begun. */
class PostgresFailpointKillTest extends FailpointKillContract {
    @Override
    Backend fresh() {
        return PostgresBackend.fresh();
    }

    @Override
    String place(Backend backend) {
        return ((PostgresBackend) backend).settings().jdbcUrl();
    }
}
