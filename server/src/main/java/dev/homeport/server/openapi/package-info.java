/** The description of the API, made from the table of routes and the catalog of types, so that it cannot differ from them. */
@NullMarked
package dev.homeport.server.openapi;

import org.jspecify.annotations.NullMarked;
