package dev.homeport.store;

import dev.homeport.observe.PollLog.From;

/**
 * The process that saves, so that it does not read again what it saved itself: at a thousand polls a second that is thousands
 * of rows.
 */
record Observer(String name) {
    private static final String NOBODY = "-";

    Observer {
        if (name.equals(NOBODY)) {
            throw new IllegalArgumentException("the name " + NOBODY + " is reserved");
        }
    }

    /** Whose rows are left out. */
    String but(From from) {
        return from == From.OTHERS ? name : NOBODY;
    }
}
