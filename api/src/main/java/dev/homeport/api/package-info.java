/** Wire records, error codes and the HTTP client. Does not depend on the server. */
@NullMarked
package dev.homeport.api;

import org.jspecify.annotations.NullMarked;
