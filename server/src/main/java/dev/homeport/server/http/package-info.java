/** Requests, replies and routes: the HTTP that all planes share. */
@NullMarked
package dev.homeport.server.http;

import org.jspecify.annotations.NullMarked;
