@NullMarked
package dev.homeport.bench;

import org.jspecify.annotations.NullMarked;
