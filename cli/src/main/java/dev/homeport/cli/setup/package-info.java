/** Commands about servers, access and the command line itself. */
@NullMarked
package dev.homeport.cli.setup;

import org.jspecify.annotations.NullMarked;
