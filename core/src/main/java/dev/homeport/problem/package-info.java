/** What can be wrong with a request. Start reading at {@link dev.homeport.problem.Problem}. */
@NullMarked
package dev.homeport.problem;

import org.jspecify.annotations.NullMarked;
