package dev.homeport.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A data folder, with a backup of it, as the release before store schema 2 left it: clusters c0, c1 and c2 with a component. */
public final class EarlierRelease {
    public static final String STORE_ID = "a943288a-fe27-4663-b340-fff1d2dca6f9";

    private EarlierRelease() {}

    /** Leaves the embedded store, the master key, {@code backup} and {@code cluster-c0.token} there. */
    public static void unpack(Path folder) throws IOException {
        try (InputStream packed = EarlierRelease.class.getResourceAsStream("store-schema-1.zip");
                ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(packed))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.write(folder.resolve(entry.getName()), zip.readAllBytes());
            }
        }
    }
}
