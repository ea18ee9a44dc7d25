-- One row each: who this store is, and where its log ends.
CREATE TABLE store_meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    store_id TEXT NOT NULL,
    -- The lowest schema number that code must know to work with these tables.
    needs INTEGER NOT NULL
) STRICT;

CREATE TABLE head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    epoch INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL,
    time INTEGER NOT NULL,
    fence INTEGER NOT NULL
) STRICT;

-- Times are microseconds since 1970.
CREATE TABLE commits (
    revision INTEGER PRIMARY KEY CHECK (revision > 0),
    epoch INTEGER NOT NULL,
    time INTEGER NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    request_id TEXT NOT NULL,
    idempotency_key TEXT,
    request_digest TEXT,
    marks TEXT NOT NULL,
    change_count INTEGER NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX commits_by_key ON commits (actor, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- A table with row ids: payloads are too long for the index pages that WITHOUT ROWID would put them in.
CREATE TABLE changes (
    revision INTEGER NOT NULL REFERENCES commits (revision),
    ordinal INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    payload TEXT,
    payload_digest TEXT NOT NULL,
    before_digest TEXT NOT NULL,
    redacted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (revision, ordinal)
) STRICT;

CREATE UNIQUE INDEX changes_by_document ON changes (type, id, revision);

-- The log folded: current documents.
CREATE TABLE documents (
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL REFERENCES commits (revision),
    created_revision INTEGER NOT NULL REFERENCES commits (revision),
    body TEXT NOT NULL,
    payload_digest TEXT NOT NULL,
    PRIMARY KEY (type, id)
) STRICT;

CREATE TABLE type_state (
    type TEXT PRIMARY KEY,
    documents INTEGER NOT NULL,
    fingerprint TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO store_meta (one, store_id, needs) VALUES (1, '${store_id}', 1);
INSERT INTO head (one, epoch, revision, hash, time, fence)
VALUES (1, 1, 0, '0000000000000000000000000000000000000000000000000000000000000000', -1, 0);
