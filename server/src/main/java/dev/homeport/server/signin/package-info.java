/**
 * Authentication of people and pipelines by identity providers. Start reading at {@link dev.homeport.server.signin.Visitors}.
 */
@NullMarked
package dev.homeport.server.signin;

import org.jspecify.annotations.NullMarked;
