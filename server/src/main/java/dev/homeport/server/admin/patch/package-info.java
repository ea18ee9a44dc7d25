/** The three ways to change part of a document. */
@NullMarked
package dev.homeport.server.admin.patch;

import org.jspecify.annotations.NullMarked;
