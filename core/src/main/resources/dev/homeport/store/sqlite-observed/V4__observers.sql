-- Which process saved a row, so that it need not read it again.
ALTER TABLE poll_seen ADD COLUMN observer TEXT NOT NULL DEFAULT '';
ALTER TABLE report ADD COLUMN observer TEXT NOT NULL DEFAULT '';
ALTER TABLE token_used ADD COLUMN observer TEXT NOT NULL DEFAULT '';
