/** Signing in, and what is kept of it: servers, tokens, the keyring. Start reading at {@code Contexts}. */
@NullMarked
package dev.homeport.cli.login;

import org.jspecify.annotations.NullMarked;
