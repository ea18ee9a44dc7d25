/** What clusters report about themselves. An event goes through the {@link dev.homeport.server.events.EventDoor}. */
@NullMarked
package dev.homeport.server.events;

import org.jspecify.annotations.NullMarked;
