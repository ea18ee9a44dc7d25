package dev.homeport.document;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the word of a schema's {@code format} asks for beyond its pattern. */
enum Grammar {
    NAME("name", IdRules::name),
    NAMESPACE_NAME("namespace-name", IdRules::namespaceName),
    OBJECT_NAME("object-name", IdRules::objectName),
    DNS_NAME("dns-name", IdRules::dnsName),
    PLAIN_WORD("plain-word", IdRules::plainWord),
    UTC_TIME("utc-time", TimeRules::instant),
    GO_DURATION("go-duration", TimeRules::duration),
    LABEL_KEY("label-key", KubernetesKeys::label),
    CLUSTER_LABEL_KEY("cluster-label-key", KubernetesKeys::clusterLabel),
    ANNOTATION_KEY("annotation-key", KubernetesKeys::annotation),
    COMPONENT_PATH("component-path", ArtifactRules::path),
    OCI_URL("oci-url", ArtifactRules::url),
    OCI_URL_PREFIX("oci-url-prefix", ArtifactRules::urlPrefix),
    PATCH_PATH("patch-path", PatchPath::fault);

    private static final Map<String, Grammar> BY_FORMAT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Grammar::format, Function.identity()));

    private final String format;
    private final Function<String, Optional<String>> rule;

    Grammar(String format, Function<String, Optional<String>> rule) {
        this.format = format;
        this.rule = rule;
    }

    static Optional<Grammar> named(String format) {
        return Optional.ofNullable(BY_FORMAT.get(format));
    }

    String format() {
        return format;
    }

    Optional<String> fault(String text) {
        return rule.apply(text);
    }
}
