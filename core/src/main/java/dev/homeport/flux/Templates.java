package dev.homeport.flux;

import dev.homeport.document.Types;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The templates of ResourceSets, as far as they are the same for every cluster. */
public final class Templates {
    private static final String CHECKS = file("checks.txt");
    private static final String COMPONENT = file("component.yaml");
    private static final String ROOT = checked("types", file("types.yaml"));
    private static final Map<String, Template> BY_TYPE = Map.of(
            Types.NAMESPACE,
            new Template(checked("namespaces", file("namespaces.yaml")), "homeport-namespaces"),
            Types.ROLEBINDING,
            new Template(checked("rolebindings", file("rolebindings.yaml")), "homeport-rolebindings"),
            Types.PLATFORM_COMPONENT,
            new Template(
                    checked("platform-components", file("platform-components.yaml"))
                            .replace("@component-template@", COMPONENT),
                    "homeport-platform-components"));

    private Templates() {}

    /**
     * How a type's items become objects.
     *
     * @param text with places for {@link Choices}
     * @param serviceAccount who applies them
     */
    public record Template(String text, String serviceAccount) {}

    /** Nothing for a type that clusters cannot make anything of. */
    public static Optional<Template> of(String typeName) {
        return Optional.ofNullable(BY_TYPE.get(typeName));
    }

    /** Makes the providers and sets of all types that the server names. */
    static String root() {
        return ROOT;
    }

    /** Makes the objects of one component. */
    static String component() {
        return COMPONENT;
    }

    static String filled(String template, Map<String, String> choices) {
        String text = template;
        for (Map.Entry<String, String> choice : choices.entrySet()) {
            text = text.replace("@" + choice.getKey() + "@", choice.getValue());
        }
        return text;
    }

    private static String checked(String plural, String template) {
        return CHECKS.replace("@type@", plural) + template;
    }

    private static String file(String name) {
        try (InputStream in = Templates.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no template " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
