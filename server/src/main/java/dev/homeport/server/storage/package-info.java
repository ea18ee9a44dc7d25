/** What a server stores: the log, observations, the master key, and the marks of a new installation. */
@NullMarked
package dev.homeport.server.storage;

import org.jspecify.annotations.NullMarked;
