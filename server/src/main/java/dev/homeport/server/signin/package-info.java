/**
 * People and pipelines that come without a token of ours: an identity provider vouches for them. Start reading at {@link
 * dev.homeport.server.signin.Visitors}.
 */
@NullMarked
package dev.homeport.server.signin;

import org.jspecify.annotations.NullMarked;
