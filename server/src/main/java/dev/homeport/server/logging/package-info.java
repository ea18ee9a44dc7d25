/** How the server logs: text or JSON, and never a secret. */
@NullMarked
package dev.homeport.server.logging;

import org.jspecify.annotations.NullMarked;
