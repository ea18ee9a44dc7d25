/** What people and pipelines read and change. */
@NullMarked
package dev.homeport.server.admin;

import org.jspecify.annotations.NullMarked;
