/** Commits as they happen, as server-sent events. */
@NullMarked
package dev.homeport.server.stream;

import org.jspecify.annotations.NullMarked;
