package dev.homeport.cli.output;

/** The forms of {@code -o}. */
public enum Form {
    TABLE,
    WIDE,
    NAME,
    JSON,
    YAML,
    JSONL,
    CSV,
    MD
}
