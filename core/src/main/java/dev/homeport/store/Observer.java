package dev.homeport.store;

import dev.homeport.observe.PollLog.From;

/**
 * The process that saves, so that it does not read again what it saved itself: at a thousand polls a second that is thousands
 * of rows.
 */
record Observer(String name) {
    private static final String NO_NAME = "-";

    Observer {
        if (name.equals(NO_NAME)) {
            throw new IllegalArgumentException("the name " + NO_NAME + " is reserved");
        }
    }

    /** Whose rows are left out. */
    String but(From from) {
        return from == From.OTHERS ? name : NO_NAME;
    }
}
