package dev.homeport.flux;

import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
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

    private static final int WITNESSES_SINCE = 3;

    private final int format;
    private final String checks;
    private final String component;
    private final Map<String, Template> byType;

    private Templates(int format) {
        this.format = format;
        this.checks = inFormat("checks.txt");
        this.component = inFormat("component.yaml");
        this.byType = Map.of(
                Types.NAMESPACE,
                new Template(checked("namespaces", inFormat("namespaces.yaml")), "homeport-namespaces"),
                Types.ROLEBINDING,
                rolebindings(),
                Types.PLATFORM_COMPONENT,
                new Template(
                        checked("platform-components", inFormat("platform-components.yaml"))
                                .replace("@component-template@", component),
                        ServiceAccounts.OF_SETS));
    }

    /** From format 2 on each binding has a set of its own, which runs as the account that delivers it. */
    private Template rolebindings() {
        String text = checked("rolebindings", inFormat("rolebindings.yaml"));
        return setsOfBindings()
                ? new Template(text.replace("@rolebinding-template@", rolebinding()), ServiceAccounts.OF_SETS)
                : new Template(text, ServiceAccounts.OF_BINDINGS);
    }

    /** Whether bindings are made by sets, one for each. */
    boolean setsOfBindings() {
        return format > 1;
    }

    /** From format 3 on components name an account, unless the root set is too old to know which. */
    boolean nameAccounts() {
        return format > 2;
    }

    /** From format 3 on answers contain the poll interval. */
    boolean tellIntervals() {
        return format > 2;
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

    /** Those that a fleet's clusters are served, as far as they are known here. */
    static Templates of(FleetView view) {
        return of(Math.min(FleetSettings.orStandard(view).answerFormat(), Rendering.NEWEST_FORMAT));
    }

    /** Those of a format that is known. */
    static Templates of(int format) {
        return BY_FORMAT.get(format - 1);
    }

    /** Nothing for a type that clusters cannot make anything of. */
    Optional<Template> of(TypeDefinition type) {
        return Optional.ofNullable(byType.get(type.name()))
                .or(() -> type.template().map(text -> added(type.plural(), text)));
    }

    /** Makes the sets that look at a cluster's objects; from format 3 on objects say which item they were made from. */
    Optional<Template> witnesses() {
        return format < WITNESSES_SINCE
                ? Optional.empty()
                : Optional.of(
                        new Template(checked(Types.WITNESSES, inFormat("witnesses.yaml")), ServiceAccounts.OF_SETS));
    }

    /** Of a type that was added at run time. */
    Template added(String plural, String text) {
        return new Template(checked(plural, text), ServiceAccounts.OTHER_TYPES);
    }

    /** Makes the providers and sets of all types that the server names. */
    static String root() {
        return ROOT;
    }

    /** Makes the objects of one component. */
    String component() {
        return component;
    }

    /** Makes one role binding, where {@link #setsOfBindings}. */
    String rolebinding() {
        return inFormat("rolebinding.yaml");
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

    /** As the newest format up to this one has it: a format's folder holds what it changed. */
    private String inFormat(String name) {
        for (int number = format; number > 1; number--) {
            String path = "format-" + number + "/" + name;
            if (Templates.class.getResource(path) != null) {
                return file(path);
            }
        }
        return file("format-1/" + name);
    }

    private static String file(String path) {
        try (InputStream in = Templates.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("no template " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
