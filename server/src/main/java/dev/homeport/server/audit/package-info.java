/** Forwarding of the audit: commits, denied attempts and reads as signed JSON Lines. */
@NullMarked
package dev.homeport.server.audit;

import org.jspecify.annotations.NullMarked;
