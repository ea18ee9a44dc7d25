/** Which objects a command is about: types, ids, labels, filters. Start reading at {@code SelectOptions}. */
@NullMarked
package dev.homeport.cli.select;

import org.jspecify.annotations.NullMarked;
