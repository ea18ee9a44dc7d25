package dev.homeport.document;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Secrets that only the name beside them reveals: a key such as {@code password} with a value that is unlikely to be a word.
 */
final class SecretGuess {
    private static final int MIN_LENGTH = 12;
    private static final double MIN_ENTROPY = 2.8;

    private static final Set<String> TELLING = Set.of(
            "password",
            "passwd",
            "passphrase",
            "passwort",
            "pwd",
            "secret",
            "token",
            "apikey",
            "accesskey",
            "secretkey",
            "privatekey",
            "clientsecret",
            "credential",
            "credentials",
            "encryptionkey",
            "signingkey",
            "masterkey",
            "sharedkey",
            "accountkey",
            "connectionstring",
            "bearer",
            "cookiesecret");

    private static final Pattern SEPARATORS = Pattern.compile("[^a-z0-9]");
    private static final Pattern SPLIT = Pattern.compile("[-_./:@]");
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]{1,12}|[A-Z]{1,12}|v?[0-9]{1,4}");

    private SecretGuess() {}

    static boolean isSecret(String key, String value) {
        String name = lastName(key);
        return isTelling(name)
                && !(name.endsWith("secret") && isReference(value))
                && value.length() >= MIN_LENGTH
                && looksRandom(value);
    }

    /** Of {@code auth.adminPassword} and {@code example.com/admin-password}: {@code adminpassword}. */
    private static String lastName(String key) {
        String last = key.substring(Math.max(key.lastIndexOf('.'), key.lastIndexOf('/')) + 1);
        return SEPARATORS.matcher(last.toLowerCase(Locale.ROOT)).replaceAll("");
    }

    private static boolean isTelling(String name) {
        return !name.startsWith("existing") && TELLING.stream().anyMatch(name::endsWith);
    }

    /** A key that ends in "secret" often names a Secret, whose name has hyphens. */
    private static boolean isReference(String value) {
        return IdRules.objectName(value).isEmpty() && (value.indexOf('-') > 0 || value.indexOf('.') > 0);
    }

    private static boolean looksRandom(String value) {
        boolean elsewhere = value.startsWith("/")
                || value.contains("://")
                || value.startsWith("sha256:")
                || value.startsWith("sha512:")
                || SecretPattern.isPlaceholder(value);
        if (elsewhere || value.chars().anyMatch(Character::isWhitespace)) {
            return false;
        }
        boolean words = SPLIT.splitAsStream(value)
                .allMatch(part -> part.isEmpty() || WORD.matcher(part).matches());
        return !words && entropy(value) >= MIN_ENTROPY;
    }

    /** Bits for each character. */
    private static double entropy(String value) {
        int[] counts = new int[128];
        value.chars().forEach(c -> counts[c & 127]++);
        double bits = 0;
        for (int count : counts) {
            if (count > 0) {
                double share = (double) count / value.length();
                bits -= share * Math.log(share) / Math.log(2);
            }
        }
        return bits;
    }
}
