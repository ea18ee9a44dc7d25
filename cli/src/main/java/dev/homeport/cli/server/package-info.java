/** The server that a command calls, and how failures are shown. Start reading at {@code ServerOptions}. */
@NullMarked
package dev.homeport.cli.server;

import org.jspecify.annotations.NullMarked;
