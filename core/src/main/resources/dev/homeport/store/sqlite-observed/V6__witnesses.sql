-- What clusters said last about objects that they were asked about.
CREATE TABLE witness (
    cluster TEXT NOT NULL,
    question TEXT NOT NULL,
    value TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    resource_version INTEGER NOT NULL,
    body_digest TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    observer TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (cluster, question)
) STRICT;

CREATE INDEX witness_by_time ON witness (received_at);
