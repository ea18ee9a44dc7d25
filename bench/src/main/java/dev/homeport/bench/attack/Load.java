package dev.homeport.bench.attack;

/** An attack under way. */
interface Load {
    /** Until then, and a moment longer for what was begun. Whatever the server does to it is no failure. */
    void run(long untilNanos) throws InterruptedException;

    /** How many requests or connections there were. */
    long count();
}
