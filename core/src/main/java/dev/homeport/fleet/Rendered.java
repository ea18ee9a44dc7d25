package dev.homeport.fleet;

/**
 * An answer in bytes.
 *
 * @param digest names the content; equal content, equal digest, whenever and wherever it was rendered
 * @param inputs how many inputs the client will see
 */
public record Rendered(byte[] body, String digest, int inputs) {}
