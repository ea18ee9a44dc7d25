/** Running it: processes that start, stop, are killed and looked after, against real stores. */
@NullMarked
package dev.homeport.server.ops;

import org.jspecify.annotations.NullMarked;
