package dev.homeport.sim;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Tasks by time. For one thread. */
final class Schedule {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long added;

    private record Task(long due, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(due, other.due);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    void at(long due, Runnable work) {
        tasks.add(new Task(due, added++, work));
    }

    void in(double seconds, Runnable work) {
        at(System.nanoTime() + nanos(seconds), work);
    }

    static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /** Does the first thing that is due, if any. */
    boolean doNext() {
        Task first = tasks.peek();
        if (first == null || first.due() > System.nanoTime()) {
            return false;
        }
        tasks.remove();
        first.work().run();
        return true;
    }
}
