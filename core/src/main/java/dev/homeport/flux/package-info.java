/**
 * What a cluster gets so that it phones home: providers, ResourceSets with their templates, service accounts, alerts. A pure
 * function of the cluster's identity, its secrets and some choices. Start reading at {@link dev.homeport.flux.Bootstrap}; the
 * templates are files beside it.
 *
 * <p>In a template every value is one action that ends in {@code toJson}; text between at signs is a choice that is put in
 * before a cluster sees it ({@link dev.homeport.flux.Choices#inTemplates}). Templates belong to the answer's format: other
 * text makes every cluster render anew.
 */
@NullMarked
package dev.homeport.flux;

import org.jspecify.annotations.NullMarked;
