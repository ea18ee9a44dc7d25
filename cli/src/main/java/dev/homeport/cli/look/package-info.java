/** Commands that read the fleet. */
@NullMarked
package dev.homeport.cli.look;

import org.jspecify.annotations.NullMarked;
