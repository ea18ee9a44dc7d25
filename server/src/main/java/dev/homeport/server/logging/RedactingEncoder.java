package dev.homeport.server.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/** Redacts whatever another encoder made, so that no field of an event can be forgotten. */
final class RedactingEncoder extends EncoderBase<ILoggingEvent> {
    private final Encoder<ILoggingEvent> inner;
    private final Redaction redaction;

    RedactingEncoder(Encoder<ILoggingEvent> inner, Redaction redaction) {
        this.inner = inner;
        this.redaction = redaction;
    }

    @Override
    public void start() {
        inner.start();
        super.start();
    }

    @Override
    public byte[] headerBytes() {
        return inner.headerBytes();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String text = new String(inner.encode(event), StandardCharsets.UTF_8);
        return redaction.of(text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return inner.footerBytes();
    }
}
