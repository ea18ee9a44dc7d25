package dev.homeport.change;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Places at which a test ends the process, as {@code kill -9} would. Only a system property of the JVM arms one of them, with
 * how often it is passed before: {@code -Dhomeport.failpoint=APPEND_WRITTEN:17}. No setting, variable or request does.
 */
public enum Failpoint {
    /** The head is locked, and nothing is written yet. */
    APPEND_LOCKED,
    /** All of a commit is written, and the transaction is open. */
    APPEND_WRITTEN,
    /** The transaction is committed, and not acknowledged yet. */
    APPEND_COMMITTED,
    /** A commit is applied to a new snapshot, which is not published yet. */
    PUBLISH_APPLIED,
    /** The new snapshot is seen, and the high-water mark is still the old one. */
    PUBLISH_PUBLISHED,
    /** What was there is deleted, and nothing of the backup is in its place. */
    RESTORE_EMPTIED,
    /** The backup is in its place and checked, and the transaction is open. */
    RESTORE_FILLED,
    /** The restored store is committed, and no mark of it is written elsewhere. */
    RESTORE_COMMITTED,
    /** The new master key is in a file beside the old one. */
    REKEY_WRITTEN,
    /** The new master key has taken the place of the old one. */
    REKEY_REPLACED;

    /** What a process that was killed ends with. */
    public static final int EXIT_CODE = 137;

    private static final String ARMED = System.getProperty("homeport.failpoint", "");
    private static final AtomicLong PASSED = new AtomicLong();

    public void reach() {
        if (!ARMED.isEmpty()) {
            endIfDue();
        }
    }

    private void endIfDue() {
        int colon = ARMED.indexOf(':');
        if (ARMED.substring(0, colon).equals(name())
                && PASSED.incrementAndGet() >= Long.parseLong(ARMED.substring(colon + 1))) {
            Runtime.getRuntime().halt(EXIT_CODE); // no hook and no finally block runs
        }
    }
}
