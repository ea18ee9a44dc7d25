-- A poll changes one page. An index by time would change two more each time; whose a row is hardly ever changes.
CREATE TABLE poll_seen_next (
    cluster TEXT NOT NULL,
    type TEXT NOT NULL,
    last_at INTEGER NOT NULL,
    digest TEXT NOT NULL,
    revision INTEGER NOT NULL,
    status INTEGER NOT NULL,
    shape TEXT NOT NULL,
    operator_version TEXT NOT NULL,
    address TEXT NOT NULL,
    digest_since INTEGER NOT NULL DEFAULT 0,
    observer TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (cluster, type)
) STRICT, WITHOUT ROWID;

INSERT INTO poll_seen_next (cluster, type, last_at, digest, revision, status, shape, operator_version, address,
    digest_since, observer)
SELECT cluster, type, last_at, digest, revision, status, shape, operator_version, address, digest_since, observer
FROM poll_seen;

DROP TABLE poll_seen;
ALTER TABLE poll_seen_next RENAME TO poll_seen;
CREATE INDEX poll_seen_by_observer ON poll_seen (observer);

CREATE TABLE token_used_next (
    token TEXT PRIMARY KEY,
    last_at INTEGER NOT NULL,
    observer TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

INSERT INTO token_used_next (token, last_at, observer)
SELECT token, last_at, observer FROM token_used;

DROP TABLE token_used;
ALTER TABLE token_used_next RENAME TO token_used;
CREATE INDEX token_used_by_observer ON token_used (observer);
