-- When the cluster was first given the digest that it was given last.
ALTER TABLE poll_seen ADD COLUMN digest_since BIGINT NOT NULL DEFAULT 0;

-- What clusters report: the newest event of each object and verdict.
CREATE TABLE report (
    cluster TEXT COLLATE "C" NOT NULL,
    object TEXT COLLATE "C" NOT NULL,
    verdict TEXT COLLATE "C" NOT NULL,
    subject TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    resource_version BIGINT NOT NULL,
    body_digest TEXT COLLATE "C" NOT NULL,
    revision TEXT NOT NULL,
    answer_digest TEXT NOT NULL,
    item_digest TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (cluster, object, verdict)
);

CREATE INDEX report_by_time ON report (received_at);

-- Whoever asked without being known.
CREATE TABLE stranger (
    name TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (name, address, why)
);

CREATE INDEX stranger_by_time ON stranger (last_at);
