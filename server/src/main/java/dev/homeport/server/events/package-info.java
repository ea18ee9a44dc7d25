/** Events that clusters send about themselves. Start reading at {@link dev.homeport.server.events.EventDoor}. */
@NullMarked
package dev.homeport.server.events;

import org.jspecify.annotations.NullMarked;
