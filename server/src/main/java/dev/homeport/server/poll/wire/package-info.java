/** HTTP/1.1 for polls, straight on Netty: no more of it than the poll plane needs. Start reading at PollConnection. */
@NullMarked
package dev.homeport.server.poll.wire;

import org.jspecify.annotations.NullMarked;
