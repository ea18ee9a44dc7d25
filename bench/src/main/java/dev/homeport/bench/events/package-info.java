/** What events cost beside polls. */
@NullMarked
package dev.homeport.bench.events;

import org.jspecify.annotations.NullMarked;
