/** The admin plane: routes for people and pipelines. Start reading at {@link dev.homeport.server.admin.AdminRoutes}. */
@NullMarked
package dev.homeport.server.admin;

import org.jspecify.annotations.NullMarked;
