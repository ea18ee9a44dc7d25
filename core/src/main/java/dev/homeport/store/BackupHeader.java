package dev.homeport.store;

import dev.homeport.change.Head;
import java.util.Optional;

/**
 * What a backup says of itself in its first line.
 *
 * @param masterKey fingerprint of the key that its newest tokens are hashed with; older backups do not tell
 */
public record BackupHeader(Head head, Optional<String> masterKey) {}
