package dev.homeport.document;

/** Builds JSON pointers (RFC 6901). The root is the empty string. */
public final class Pointer {
    private Pointer() {}

    public static String child(String parent, String key) {
        String token = key.indexOf('~') < 0 && key.indexOf('/') < 0
                ? key
                : key.replace("~", "~0").replace("/", "~1");
        return parent + "/" + token;
    }

    public static String child(String parent, int index) {
        return parent + "/" + index;
    }
}
