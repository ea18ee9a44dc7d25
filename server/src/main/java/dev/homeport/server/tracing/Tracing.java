package dev.homeport.server.tracing;

import dev.homeport.server.http.RequestView;
import dev.homeport.server.poll.PollPath;
import java.time.Duration;

/** Tells a tracer what is done. Nothing of it happens unless it is switched on. */
public interface Tracing extends AutoCloseable {
    /** A request of the admin plane, from its arrival to its answer. */
    interface Request {
        /** Makes what this thread does part of the request, until it is closed. */
        Part enter();

        void answered(String route, int status, String actor);
    }

    /** To be closed by the thread that entered it. */
    interface Part extends AutoCloseable {
        @Override
        void close();
    }

    /** A poll that was answered just now. */
    void polled(RequestView request, PollPath path, int status, long nanos);

    Request begun(RequestView request, String method);

    /** A plan that was finished just now, as part of whatever this thread does. */
    void planned(Duration took);

    /** The part of a write that puts it into the log. */
    Part appending();

    @Override
    void close();

    /** Nothing at all. */
    Tracing OFF = new Tracing() {
        private static final Part NO_PART = () -> {};

        private static final Request NO_REQUEST = new Request() {
            @Override
            public Part enter() {
                return NO_PART;
            }

            @Override
            public void answered(String route, int status, String actor) {}
        };

        @Override
        public void polled(RequestView request, PollPath path, int status, long nanos) {}

        @Override
        public Request begun(RequestView request, String method) {
            return NO_REQUEST;
        }

        @Override
        public void planned(Duration took) {}

        @Override
        public Part appending() {
            return NO_PART;
        }

        @Override
        public void close() {}
    };
}
