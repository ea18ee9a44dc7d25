/** What a server keeps beside its memory: the store, what was observed, the master key, and the marks of a new installation. */
@NullMarked
package dev.homeport.server.storage;

import org.jspecify.annotations.NullMarked;
