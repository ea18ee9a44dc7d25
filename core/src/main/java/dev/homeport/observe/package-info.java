/** What was seen of clusters, as opposed to what was written for them. It may be lost without the fleet being wrong. */
@NullMarked
package dev.homeport.observe;

import org.jspecify.annotations.NullMarked;
