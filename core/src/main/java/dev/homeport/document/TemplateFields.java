package dev.homeport.document;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which fields of a document decide which objects a template makes of it: those in the name, namespace, kind or version of an
 * object, and those that a condition, a loop or a variable depends on. Rather too many than too few.
 */
public final class TemplateFields {
    /** What a type's documents most likely call these, when the template is unknown. */
    private static final Set<String> USUAL = Set.of("name", "namespace", "target_namespace", "kind", "api_version");

    private static final Pattern NAMING_LINE = Pattern.compile("\\s*(- )?(name|namespace|kind|apiVersion)\\s*:.*");
    private static final Pattern STEERING = Pattern.compile("<<-?\\s*(if|else|range|with|\\$[A-Za-z_]*\\s*:?=)");
    private static final Pattern FIELD = Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_]*)|\"([A-Za-z_][A-Za-z0-9_]*)\"");

    private TemplateFields() {}

    /** Names that are no fields may be among them. */
    public static Set<String> identifying(TypeDefinition type) {
        if (type.template().isEmpty()) {
            return USUAL;
        }
        Set<String> fields = new TreeSet<>();
        for (String line : type.template().get().split("\n", -1)) {
            if (NAMING_LINE.matcher(line).matches() || STEERING.matcher(line).find()) {
                Matcher field = FIELD.matcher(line);
                while (field.find()) {
                    fields.add(field.group(1) != null ? field.group(1) : field.group(2));
                }
            }
        }
        return fields;
    }
}
