-- What holds for every server on this store. It is written together with what it describes, so no server can miss it.
CREATE TABLE store_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    -- Why nothing may be served or written until an operator accepts the store; null when there is no reason.
    quarantine TEXT,
    -- The epoch that an operator accepted last. Servers that saw an earlier epoch load the store again.
    accepted_epoch BIGINT NOT NULL,
    -- Fingerprint of the newest master key that tokens of this store are hashed with; null until a writer has started.
    master_key TEXT
);

-- When a writer last reached this database, by the clock of the primary. It tells how old a replica is.
CREATE TABLE heartbeat (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at BIGINT NOT NULL
);

INSERT INTO store_state (one, quarantine, accepted_epoch, master_key) VALUES (1, nullif('${quarantine}', ''), 0, NULL);
INSERT INTO heartbeat (one, at) VALUES (1, 0);
-- Code that does not know the quarantine must not open a store that is in one.
UPDATE store_meta SET needs = 2 WHERE '${quarantine}' <> '';
