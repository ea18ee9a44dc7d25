/** Generated from the commands: completion for shells, man pages and docs/cli.md. Start reading at {@code CommandPages}. */
@NullMarked
package dev.homeport.cli.reference;

import org.jspecify.annotations.NullMarked;
