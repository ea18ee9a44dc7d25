package dev.homeport.cli;

import java.util.Locale;
import java.util.Map;

/** What people call types: singular, plural, short or as stored; the API wants the plural with dashes. */
final class TypeWords {
    private static final Map<String, String> SHORT = Map.of(
            "cl", "clusters",
            "co", "platform-components",
            "component", "platform-components",
            "components", "platform-components",
            "ns", "namespaces",
            "ws", "workspaces",
            "env", "environments",
            "rb", "rolebindings",
            "template", "cluster-templates",
            "templates", "cluster-templates");

    private TypeWords() {}

    static String plural(String word) {
        String plain = word.toLowerCase(Locale.ROOT).replace('_', '-');
        String known = SHORT.get(plain);
        if (known != null) {
            return known;
        }
        return plain.endsWith("s") ? plain : plain + "s";
    }
}
