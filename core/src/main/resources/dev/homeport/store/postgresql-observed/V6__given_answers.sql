-- The last answer that each cluster was given, which a refused poll does not change. The ids in items are separated by blanks, '='
-- stands before those that stay on the cluster when they are no longer served; NULL when they are not known. What was given
-- before is in earlier, newest first, by the beginnings of digests.
CREATE TABLE given_answer (
    cluster TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    shape TEXT NOT NULL,
    digest TEXT NOT NULL,
    at BIGINT NOT NULL,
    begun BIGINT NOT NULL,
    items TEXT,
    earlier TEXT NOT NULL,
    from_backup INTEGER NOT NULL,
    PRIMARY KEY (cluster, type)
);
