/** Commands that change desired state. */
@NullMarked
package dev.homeport.cli.change;

import org.jspecify.annotations.NullMarked;
