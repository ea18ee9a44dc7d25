package dev.homeport.server.logging;

import dev.homeport.server.http.Answered;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line for each request on the admin plane. The path is not in it, as callers choose what it says. */
public final class AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger("dev.homeport.access");

    private AccessLog() {}

    public static void write(Answered answered) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        long millis = answered.nanos() / 1_000_000;
        LOG.atInfo()
                .addKeyValue("method", answered.method())
                .addKeyValue("route", answered.route())
                .addKeyValue("status", answered.status())
                .addKeyValue("ms", millis)
                .addKeyValue("actor", answered.actor())
                .addKeyValue("request", answered.requestId())
                .addKeyValue("address", answered.address())
                .log(
                        "{} {} {} {} ms by {} from {} ({})",
                        answered.method(),
                        answered.route(),
                        answered.status(),
                        millis,
                        answered.actor().isEmpty() ? "anonymous" : answered.actor(),
                        answered.address(),
                        answered.requestId());
    }
}
