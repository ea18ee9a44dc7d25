/** What an operator does on the server's host: {@code homeport admin …}. One class a command. */
@NullMarked
package dev.homeport.server.command;

import org.jspecify.annotations.NullMarked;
