package dev.homeport.server.audit;

import java.io.IOException;
import java.util.List;

/** Where lines go. Used by one thread. */
interface AuditSink extends AutoCloseable {
    String name();

    /** Where the stream is, after whatever an earlier process left unfinished was finished. */
    AuditPosition resume() throws IOException;

    /** Returns when all lines are there for good. After a failure the same lines are given again. */
    void write(List<String> lines, AuditPosition after) throws IOException;

    @Override
    void close();
}
