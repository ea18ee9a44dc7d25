/** Traces for OpenTelemetry, for whoever switches them on. */
@NullMarked
package dev.homeport.server.tracing;

import org.jspecify.annotations.NullMarked;
