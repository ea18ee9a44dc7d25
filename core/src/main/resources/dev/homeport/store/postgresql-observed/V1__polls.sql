-- What was seen of clusters. Times are microseconds since 1970, days are days since then.
CREATE TABLE poll_seen (
    cluster TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    last_at BIGINT NOT NULL,
    digest TEXT NOT NULL,
    revision BIGINT NOT NULL,
    status INTEGER NOT NULL,
    shape TEXT NOT NULL,
    operator_version TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (cluster, type)
);

CREATE INDEX poll_seen_by_time ON poll_seen (last_at);

-- Clusters that were ever given an answer.
CREATE TABLE served (
    cluster TEXT COLLATE "C" PRIMARY KEY
);

-- 288 slots of five minutes, the first in the lowest bit of slots_0.
CREATE TABLE poll_day (
    cluster TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    slots_0 BIGINT NOT NULL,
    slots_1 BIGINT NOT NULL,
    slots_2 BIGINT NOT NULL,
    slots_3 BIGINT NOT NULL,
    slots_4 BIGINT NOT NULL,
    PRIMARY KEY (cluster, day)
);

CREATE INDEX poll_day_by_day ON poll_day (day);

-- The furthest head that anybody answered from.
CREATE TABLE seen_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    store_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    hash TEXT NOT NULL
);
