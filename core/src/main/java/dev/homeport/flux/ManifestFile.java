package dev.homeport.flux;

/** A file of manifests. */
public record ManifestFile(String path, String content) {}
