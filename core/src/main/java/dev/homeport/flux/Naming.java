package dev.homeport.flux;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * How objects of components are called, {@code {id}} standing for the component's. A cluster that ran components before keeps
 * its names: under other names Flux would remove the objects and install them again.
 *
 * @param objects of Kustomizations and HelmReleases
 * @param sources of OCIRepositories and HelmRepositories
 * @param releases of Helm releases
 * @param targetNamespace where a chart goes that names no namespace itself
 * @param storage where Helm keeps its records of a release
 */
public record Naming(String objects, String sources, String releases, String targetNamespace, Storage storage) {
    public static final Naming STANDARD = new Naming("c-{id}", "c-{id}", "{id}", "{id}", Storage.TARGET);

    private static final int MAX_LABEL = 63;
    private static final Pattern PATTERN =
            Pattern.compile("([a-z0-9][-a-z0-9]{0,30})?\\{id}([-a-z0-9]{0,30}[a-z0-9])?");

    /** The namespace of Helm's records. */
    public enum Storage {
        /** The one that the release goes to. */
        TARGET,
        /** The one that the HelmRelease is in, as Flux has it by default. */
        RELEASE
    }

    /** Its name is the value of a label too, which may be no longer than 63 characters; ids have no dots. */
    static String setOfBinding(String id) {
        String name = "b-" + id;
        return name.length() <= MAX_LABEL ? name : "b." + sha256(id).substring(0, 40);
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    static boolean isPattern(String text) {
        return PATTERN.matcher(text).matches();
    }
}
