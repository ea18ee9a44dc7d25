/** Authentication, and the one decision that every operation asks for. */
@NullMarked
package dev.homeport.access;

import org.jspecify.annotations.NullMarked;
