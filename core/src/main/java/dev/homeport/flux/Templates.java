package dev.homeport.flux;

import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Rendering;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The templates of ResourceSets, as far as they are the same for every cluster. What clusters are served is part of the
 * answers' format: a format's files are never changed once it has been released, a test sees to that.
 */
public final class Templates {
    private static final List<Templates> BY_FORMAT = IntStream.rangeClosed(1, Rendering.NEWEST_FORMAT)
            .mapToObj(Templates::new)
            .toList();
    private static final String ROOT = newest().checked("types", file("types.yaml"));

    private final String checks;
    private final String component;
    private final Map<String, Template> byType;

    private Templates(int format) {
        String folder = "format-" + format + "/";
        this.checks = file(folder + "checks.txt");
        this.component = file(folder + "component.yaml");
        this.byType = Map.of(
                Types.NAMESPACE,
                new Template(checked("namespaces", file(folder + "namespaces.yaml")), "homeport-namespaces"),
                Types.ROLEBINDING,
                new Template(checked("rolebindings", file(folder + "rolebindings.yaml")), "homeport-rolebindings"),
                Types.PLATFORM_COMPONENT,
                new Template(
                        checked("platform-components", file(folder + "platform-components.yaml"))
                                .replace("@component-template@", component),
                        "homeport-platform-components"));
    }

    /**
     * How a type's items become objects.
     *
     * @param text with places for {@link Choices}
     * @param serviceAccount who applies them
     */
    public record Template(String text, String serviceAccount) {}

    static Templates newest() {
        return BY_FORMAT.getLast();
    }

    /** Those of a format that is known. */
    static Templates of(int format) {
        return BY_FORMAT.get(format - 1);
    }

    /** Nothing for a type that clusters cannot make anything of. */
    Optional<Template> of(TypeDefinition type) {
        return Optional.ofNullable(byType.get(type.name()))
                .or(() -> type.template()
                        .map(text -> new Template(checked(type.plural(), text), ServiceAccounts.OTHER_TYPES)));
    }

    /** Makes the providers and sets of all types that the server names. */
    static String root() {
        return ROOT;
    }

    /** Makes the objects of one component. */
    String component() {
        return component;
    }

    static String filled(String template, Map<String, String> choices) {
        String text = template;
        for (Map.Entry<String, String> choice : choices.entrySet()) {
            text = text.replace("@" + choice.getKey() + "@", choice.getValue());
        }
        return text;
    }

    private String checked(String plural, String template) {
        return checks.replace("@type@", plural) + template;
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
