@NullMarked
package dev.homeport.server;

import org.jspecify.annotations.NullMarked;
