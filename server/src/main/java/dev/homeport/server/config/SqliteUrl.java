package dev.homeport.server.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code sqlite:relative}, {@code sqlite://relative}, {@code sqlite:/absolute} and {@code sqlite:///absolute}, with a query
 * that is not looked at. The embedded store is a folder: where the path names a file, that is another program's or will be
 * taken for one, so the store is kept in a folder beside it.
 */
final class SqliteUrl {
    static final String PREFIX = "sqlite:";
    private static final Pattern FILE = Pattern.compile(".*\\.(db|sqlite|sqlite3)");

    private SqliteUrl() {}

    static boolean isMemory(String url) {
        return path(url).equals(":memory:");
    }

    /** Empty when the URL names no place. */
    static Optional<Path> folder(String url) {
        String path = path(url);
        return path.isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(FILE.matcher(path).matches() ? path + ".d" : path));
    }

    private static String path(String url) {
        String rest = url.substring(PREFIX.length()).split("\\?", 2)[0];
        return rest.startsWith("//") ? rest.substring(2) : rest;
    }
}
