-- A poll changes one page. An index by time would change two more each time; whose a row is hardly ever changes.
DROP INDEX poll_seen_by_time;
CREATE INDEX poll_seen_by_observer ON poll_seen (observer);

DROP INDEX token_used_by_time;
CREATE INDEX token_used_by_observer ON token_used (observer);
