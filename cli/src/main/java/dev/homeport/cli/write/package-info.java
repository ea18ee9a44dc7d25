/** Plan, show, ask, commit what was shown. Start reading at {@code PlannedWrite}. */
@NullMarked
package dev.homeport.cli.write;

import org.jspecify.annotations.NullMarked;
