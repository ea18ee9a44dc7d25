package dev.homeport.observe;

/**
 * One component on one cluster.
 *
 * @param wanted the desired component
 * @param served true if exactly this was served to the cluster
 */
public record ComponentReview(String id, Wanted.Part wanted, boolean served, Progress progress) {}
