@NullMarked
package dev.homeport.cli;

import org.jspecify.annotations.NullMarked;
