package dev.homeport.document;

import java.time.Instant;

/** Which commit made or changed a document. One instance is shared by all documents of the commit. */
public record Stamp(long revision, long epoch, Instant at, String by, String reason) {}
