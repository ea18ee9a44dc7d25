/** What surrounds a command: streams, variables, terminals, and how text is put on them. Start reading at {@code ProcessEnvironment}. */
@NullMarked
package dev.homeport.cli.terminal;

import org.jspecify.annotations.NullMarked;
