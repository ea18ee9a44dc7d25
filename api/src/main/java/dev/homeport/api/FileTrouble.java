package dev.homeport.api;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be used, in words: most of these exceptions say nothing but the file's name. */
public final class FileTrouble {
    private FileTrouble() {}

    public static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case AccessDeniedException denied -> "you have no permission for " + denied.getFile();
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
