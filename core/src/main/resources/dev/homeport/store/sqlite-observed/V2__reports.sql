-- When the cluster was first given the digest that it was given last.
ALTER TABLE poll_seen ADD COLUMN digest_since INTEGER NOT NULL DEFAULT 0;

-- What clusters report: the newest event of each object and verdict.
CREATE TABLE report (
    cluster TEXT NOT NULL,
    object TEXT NOT NULL,
    verdict TEXT NOT NULL,
    subject TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    resource_version INTEGER NOT NULL,
    body_digest TEXT NOT NULL,
    revision TEXT NOT NULL,
    answer_digest TEXT NOT NULL,
    item_digest TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (cluster, object, verdict)
) STRICT;

CREATE INDEX report_by_time ON report (received_at);

-- Whoever asked without being known.
CREATE TABLE stranger (
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    why TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (name, address, why)
) STRICT, WITHOUT ROWID;

CREATE INDEX stranger_by_time ON stranger (last_at);
