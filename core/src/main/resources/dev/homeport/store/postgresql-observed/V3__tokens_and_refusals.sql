-- When a token was last used, to the minute.
CREATE TABLE token_used (
    token TEXT COLLATE "C" PRIMARY KEY,
    last_at BIGINT NOT NULL
);

CREATE INDEX token_used_by_time ON token_used (last_at);

-- What somebody wanted and did not get. Nothing of a body is in here.
CREATE TABLE refused (
    at BIGINT NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    actor TEXT NOT NULL,
    address TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (at, request_id)
);
