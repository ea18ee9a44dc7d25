@NullMarked
package dev.homeport.testing;

import org.jspecify.annotations.NullMarked;
