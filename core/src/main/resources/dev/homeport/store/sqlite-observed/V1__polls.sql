-- What was seen of clusters. Times are microseconds since 1970, days are days since then.
CREATE TABLE poll_seen (
    cluster TEXT NOT NULL,
    type TEXT NOT NULL,
    last_at INTEGER NOT NULL,
    digest TEXT NOT NULL,
    revision INTEGER NOT NULL,
    status INTEGER NOT NULL,
    shape TEXT NOT NULL,
    operator_version TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (cluster, type)
) STRICT;

CREATE INDEX poll_seen_by_time ON poll_seen (last_at);

-- Clusters that were ever given an answer.
CREATE TABLE served (
    cluster TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- 288 slots of five minutes, the first in the lowest bit of slots_0.
CREATE TABLE poll_day (
    cluster TEXT NOT NULL,
    day INTEGER NOT NULL,
    slots_0 INTEGER NOT NULL,
    slots_1 INTEGER NOT NULL,
    slots_2 INTEGER NOT NULL,
    slots_3 INTEGER NOT NULL,
    slots_4 INTEGER NOT NULL,
    PRIMARY KEY (cluster, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX poll_day_by_day ON poll_day (day);

-- The furthest head that anybody answered from.
CREATE TABLE seen_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    store_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT;
