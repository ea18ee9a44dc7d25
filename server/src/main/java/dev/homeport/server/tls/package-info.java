/** Certificates: the server's own, read again when they change, and those that clusters show. */
@NullMarked
package dev.homeport.server.tls;

import org.jspecify.annotations.NullMarked;
