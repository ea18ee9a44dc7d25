/**
 * The log and its fold in SQLite or PostgreSQL: the same tables, the same SQL, one small {@link dev.homeport.store.Dialect}
 * for what differs. Revisions come from the locked head row, never from a sequence. Start reading at
 * {@link dev.homeport.store.Stores}, which opens a store, and {@link dev.homeport.store.Appender}, which writes a commit.
 */
@NullMarked
package dev.homeport.store;

import org.jspecify.annotations.NullMarked;
