/** One small language to choose documents by. Start reading at {@link dev.homeport.server.admin.filter.Filter}. */
@NullMarked
package dev.homeport.server.admin.filter;

import org.jspecify.annotations.NullMarked;
