/** The contract of the ports on both databases, and what happens to them when things break. */
@NullMarked
package dev.homeport.store;

import org.jspecify.annotations.NullMarked;
