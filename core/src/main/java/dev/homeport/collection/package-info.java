/**
 * Persistent (structure-sharing) collections: a change copies a path of a few hundred bytes, whatever the size, and every
 * older version stays valid. They are what lets a snapshot be immutable and a commit cheap.
 */
@NullMarked
package dev.homeport.collection;

import org.jspecify.annotations.NullMarked;
