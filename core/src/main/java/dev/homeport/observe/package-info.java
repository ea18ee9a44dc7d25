/** Observations of clusters, as opposed to their documents. Losing them does not make the fleet's desired state wrong. */
@NullMarked
package dev.homeport.observe;

import org.jspecify.annotations.NullMarked;
