package dev.homeport.change;

/** Where a log ends. Two logs with the same store id, revision and hash hold the same history. */
public record Head(String storeId, long epoch, long revision, String hash) {}
