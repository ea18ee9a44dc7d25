-- What clusters said last about objects that they were asked about.
CREATE TABLE witness (
    cluster TEXT COLLATE "C" NOT NULL,
    question TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    happened_at BIGINT NOT NULL,
    resource_version BIGINT NOT NULL,
    body_digest TEXT COLLATE "C" NOT NULL,
    received_at BIGINT NOT NULL,
    observer TEXT COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (cluster, question)
);

CREATE INDEX witness_by_time ON witness (received_at);
