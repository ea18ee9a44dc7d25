/** The table of all commands, and the root that they belong to. Start reading at {@code Commands}. */
@NullMarked
package dev.homeport.cli.program;

import org.jspecify.annotations.NullMarked;
