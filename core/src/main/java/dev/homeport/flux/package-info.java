/**
 * What a cluster gets so that it phones home: providers, ResourceSets with their templates, service accounts, alerts. A pure
 * function of the cluster's identity, its secrets and some choices. Start reading at {@link dev.homeport.flux.Bootstrap}; the
 * templates are files beside it.
 *
 * <p>In a template every value is one action that ends in {@code toJson}; text between at signs is an option that is replaced
 * before a cluster sees it ({@link dev.homeport.flux.Choices#inTemplates}). Templates belong to the answer's format: changed
 * text makes every cluster render again.
 */
@NullMarked
package dev.homeport.flux;

import org.jspecify.annotations.NullMarked;
