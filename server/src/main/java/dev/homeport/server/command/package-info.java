/** Commands for an operator on the server's host: {@code homeport admin …}. One class for each command. */
@NullMarked
package dev.homeport.server.command;

import org.jspecify.annotations.NullMarked;
