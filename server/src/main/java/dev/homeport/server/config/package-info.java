/** Settings of the server, and how they are read and checked. */
@NullMarked
package dev.homeport.server.config;

import org.jspecify.annotations.NullMarked;
