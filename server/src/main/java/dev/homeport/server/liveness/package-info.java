/** Whether the server's loops still turn. */
@NullMarked
package dev.homeport.server.liveness;

import org.jspecify.annotations.NullMarked;
