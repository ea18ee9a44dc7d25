package dev.homeport.store;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps Flyway quiet: what it tells about its work goes to debug. Public because Flyway makes it by name. */
public final class FlywayLog implements LogCreator, Log {
    private static final Logger LOG = LoggerFactory.getLogger("dev.homeport.store.migrations");

    @Override
    public Log createLogger(Class<?> owner) {
        return this;
    }

    @Override
    public void debug(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void info(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void notice(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void warn(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void error(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void error(String message, Exception cause) {
        LOG.debug("{}", message, cause); // it is thrown as well
    }
}
