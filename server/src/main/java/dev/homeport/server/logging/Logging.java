package dev.homeport.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets the log up in code, since its form is one of the server's settings. */
public final class Logging {
    private static final String TEXT = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %logger{24} %msg %mdc%n";

    private Logging() {}

    /** How lines look. */
    public enum Form {
        TEXT,
        JSON
    }

    /**
     * Replaces whatever was set up before.
     *
     * @param secrets texts that must never appear
     */
    public static void configure(Form form, Collection<String> secrets, OutputStream out) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        RedactingEncoder encoder = new RedactingEncoder(encoder(form, context), new Redaction(secrets));
        encoder.setContext(context);
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setName("out");
        appender.setEncoder(encoder);
        encoder.start();
        appender.setOutputStream(out);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(appender);
    }

    private static Encoder<ILoggingEvent> encoder(Form form, LoggerContext context) {
        return switch (form) {
            case TEXT -> {
                PatternLayoutEncoder encoder = new PatternLayoutEncoder();
                encoder.setContext(context);
                encoder.setCharset(StandardCharsets.UTF_8);
                encoder.setPattern(TEXT);
                yield encoder;
            }
            case JSON -> {
                JsonEncoder encoder = new JsonEncoder();
                encoder.setContext(context);
                encoder.setWithContext(false);
                encoder.setWithMarkers(false);
                encoder.setWithArguments(false);
                encoder.setWithMessage(false);
                encoder.setWithFormattedMessage(true);
                encoder.setWithSequenceNumber(false);
                yield encoder;
            }
        };
    }
}
