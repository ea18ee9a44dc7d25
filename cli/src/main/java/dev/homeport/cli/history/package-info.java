/** Commands about past changes: audit, undo, export and import. */
@NullMarked
package dev.homeport.cli.history;

import org.jspecify.annotations.NullMarked;
