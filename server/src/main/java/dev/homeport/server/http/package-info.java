/** Requests, replies and routes: what every plane needs of HTTP. */
@NullMarked
package dev.homeport.server.http;

import org.jspecify.annotations.NullMarked;
