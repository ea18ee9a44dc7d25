package dev.homeport.sim;

/**
 * An item that was delivered to a cluster before and is not any more.
 *
 * @param kept Flux has let it go without deleting it
 * @param from the log's revision of the last answer that had it
 * @param to the revision of the answer that did not
 */
public record Deletion(String cluster, String plural, String id, boolean kept, long from, long to) {}
