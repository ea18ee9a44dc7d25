/** What travels between a server and its clients: error codes and wire records. Knows nothing of the server. */
@NullMarked
package dev.homeport.api;

import org.jspecify.annotations.NullMarked;
