/** What a cluster sees of Homeport, tried on real ones. */
@NullMarked
package dev.homeport.e2e;

import org.jspecify.annotations.NullMarked;
