package dev.homeport.observe;

/**
 * One component on one cluster.
 *
 * @param wanted what it shall run
 * @param served true when the cluster was given exactly that
 */
public record ComponentReview(String id, Wanted.Part wanted, boolean served, Progress progress) {}
