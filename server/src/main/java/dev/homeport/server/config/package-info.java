/** What an operator can set, and how it is read and checked. */
@NullMarked
package dev.homeport.server.config;

import org.jspecify.annotations.NullMarked;
