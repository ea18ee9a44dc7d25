package dev.homeport.store;

/** Hears from the thread that watches the head of the log, so that a server can tell whether it still runs. */
public interface HeadWatchListener {
    HeadWatchListener NONE = new HeadWatchListener() {
        @Override
        public void turned() {}

        @Override
        public void failed(Error failure) {}
    };

    /** The database was asked, whether it answered or not. */
    void turned();

    /** The database could not be asked, because of a fault in this process. */
    void failed(Error failure);
}
