/** Traces for OpenTelemetry, off by default. */
@NullMarked
package dev.homeport.server.tracing;

import org.jspecify.annotations.NullMarked;
