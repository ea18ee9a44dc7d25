package dev.homeport.flux;

import dev.homeport.document.IdRules;
import dev.homeport.fleet.FleetView;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request for a cluster's manifests.
 *
 * @param url where the cluster reaches Homeport, unless the server knows
 * @param authority the certificate authority of that address, in PEM, unless the server knows
 * @param replace whether the oldest of two tokens may be revoked
 */
public record BootstrapRequest(
        Format format, Optional<String> url, Optional<String> authority, boolean replace, Choices choices) {
    private static final Set<String> FIELDS = Set.of(
            "format",
            "url",
            "ca_certificate",
            "replace",
            "namespace",
            "poll_interval",
            "types",
            "names",
            "bindable_roles",
            "flux_instance",
            "client_certificate",
            "prometheus_rule");
    private static final Set<String> NAMES =
            Set.of("objects", "sources", "releases", "target_namespace", "release_storage");
    private static final Pattern ADDRESS = Pattern.compile(
            "https?://([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:]{2,45}])(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?");
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1]");
    private static final Pattern DURATION = Pattern.compile("[1-9][0-9]{0,8}(ms|s|m|h)");
    private static final Pattern ROLE = Pattern.compile("[A-Za-z]([A-Za-z0-9:._-]{0,251}[A-Za-z0-9])?");

    /** @param pollInterval what the cluster's document says, if it does */
    public static BootstrapRequest read(ObjectNode body, FleetView view, Optional<String> pollInterval) {
        return new Reading(body, view).request(pollInterval);
    }

    /** What is wrong with an address, if anything. */
    public static Optional<String> addressFault(String url) {
        if (!ADDRESS.matcher(url).matches()) {
            return Optional.of("this is not an address such as https://homeport.example.com");
        }
        boolean plain = url.startsWith("http://");
        return plain && !LOOPBACK.matcher(host(url)).matches()
                ? Optional.of("a token would travel in the clear: http is for loopback alone")
                : Optional.empty();
    }

    private static String host(String url) {
        return String.valueOf(URI.create(url).getHost());
    }

    /** Gathers what is wrong, so that all of it is said at once. */
    private static final class Reading {
        private final ObjectNode body;
        private final FleetView view;
        private final List<Violation> found = new ArrayList<>();

        Reading(ObjectNode body, FleetView view) {
            this.body = body;
            this.view = view;
        }

        BootstrapRequest request(Optional<String> pollInterval) {
            known(body, FIELDS, "");
            Choices standard = Choices.STANDARD;
            BootstrapRequest request = new BootstrapRequest(
                    word(body, "format", "", Format.class).orElse(Format.YAML),
                    url(),
                    authority(),
                    flag("replace"),
                    new Choices(
                            text(body, "namespace", "", Reading::isName, "use a namespace's name")
                                    .orElse(standard.namespace()),
                            interval(pollInterval).orElse(standard.pollInterval()),
                            types(),
                            naming(),
                            texts("bindable_roles", ROLE.asMatchPredicate(), "use names of roles"),
                            word(body, "flux_instance", "", Choices.Instance.class)
                                    .orElse(standard.instance()),
                            clientCertificate(),
                            flag("prometheus_rule")));
            if (!found.isEmpty()) {
                throw new ProblemException(Problem.Invalid.of(found));
            }
            return request;
        }

        /** The cluster adopts its document's interval with its first poll, so a different one would have no effect. */
        private Optional<String> interval(Optional<String> ofDocument) {
            Optional<String> asked =
                    text(body, "poll_interval", "", DURATION.asMatchPredicate(), "use a duration such as 1m");
            if (asked.isPresent() && ofDocument.isPresent() && !asked.equals(ofDocument)) {
                found.add(new Violation(
                        "/poll_interval",
                        "the cluster's document says " + ofDocument.get(),
                        "leave poll_interval out, or change it in the document"));
            }
            return asked.or(() -> ofDocument);
        }

        private static boolean isName(String text) {
            return IdRules.namespaceName(text).isEmpty();
        }

        private Optional<String> url() {
            Optional<String> url =
                    text(body, "url", "", text -> true, "use an https address that the cluster can reach");
            url.flatMap(BootstrapRequest::addressFault)
                    .ifPresent(fault ->
                            found.add(new Violation("/url", fault, "use an https address that the cluster can reach")));
            return url.map(text -> text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        }

        private Optional<String> authority() {
            return text(
                    body,
                    "ca_certificate",
                    "",
                    BootstrapRequest::isAuthority,
                    "send certificates in PEM, without private keys");
        }

        /** A certificate replaces the token, so the request cannot replace a token. */
        private Optional<String> clientCertificate() {
            Optional<String> secret = text(
                    body,
                    "client_certificate",
                    "",
                    name -> IdRules.objectName(name).isEmpty(),
                    "use the name of a Secret with tls.crt, tls.key and ca.crt");
            for (String field : List.of("replace", "ca_certificate")) {
                if (secret.isPresent() && body.has(field) && !body.path(field).equals(BooleanNode.FALSE)) {
                    found.add(new Violation(
                            "/" + field,
                            "this has no meaning beside client_certificate",
                            "leave it out: no token is made, and the Secret holds the authority as ca.crt"));
                }
            }
            return secret;
        }

        private List<String> types() {
            List<String> wanted =
                    texts("types", text -> Bootstrap.template(view, text).isPresent(), "use " + served());
            return wanted.stream().distinct().sorted().toList();
        }

        private String served() {
            return view.types().all().stream()
                    .map(dev.homeport.document.TypeDefinition::plural)
                    .filter(plural -> Bootstrap.template(view, plural).isPresent())
                    .sorted()
                    .collect(Collectors.joining(", "));
        }

        private Naming naming() {
            JsonNode names = body.path("names");
            Naming standard = Naming.STANDARD;
            if (names.isMissingNode()) {
                return standard;
            }
            if (!(names instanceof ObjectNode object)) {
                found.add(new Violation("/names", "this is not an object", "send an object of patterns"));
                return standard;
            }
            known(object, NAMES, "/names");
            return new Naming(
                    pattern(object, "objects").orElse(standard.objects()),
                    pattern(object, "sources").orElse(standard.sources()),
                    pattern(object, "releases").orElse(standard.releases()),
                    pattern(object, "target_namespace").orElse(standard.targetNamespace()),
                    word(object, "release_storage", "/names", Naming.Storage.class)
                            .orElse(standard.storage()));
        }

        private Optional<String> pattern(ObjectNode names, String field) {
            return text(
                    names,
                    field,
                    "/names",
                    Naming::isPattern,
                    "use {id} once, with lower-case letters, digits and hyphens around it, such as platform-{id}");
        }

        private void known(ObjectNode object, Set<String> fields, String at) {
            for (String field : object.propertyNames()) {
                if (!fields.contains(field)) {
                    found.add(new Violation(
                            at + "/" + field.replace("~", "~0").replace("/", "~1"),
                            "there is no such field here",
                            "use " + fields.stream().sorted().collect(Collectors.joining(", "))));
                }
            }
        }

        private Optional<String> text(ObjectNode from, String field, String at, Predicate<String> right, String fix) {
            JsonNode value = from.path(field);
            if (value.isMissingNode()) {
                return Optional.empty();
            }
            if (!value.isString() || !right.test(value.stringValue())) {
                found.add(new Violation(at + "/" + field, "this is not right here", fix));
                return Optional.empty();
            }
            return Optional.of(value.stringValue());
        }

        private List<String> texts(String field, Predicate<String> right, String fix) {
            List<String> all = new ArrayList<>();
            JsonNode list = body.path(field);
            if (!list.isMissingNode() && !list.isArray()) {
                found.add(new Violation("/" + field, "this is not a list", fix));
            }
            for (int i = 0; i < list.size(); i++) {
                JsonNode value = list.get(i);
                if (value.isString() && right.test(value.stringValue())) {
                    all.add(value.stringValue());
                } else {
                    found.add(new Violation("/" + field + "/" + i, "this is not right here", fix));
                }
            }
            return all;
        }

        private boolean flag(String field) {
            JsonNode value = body.path(field);
            if (!value.isMissingNode() && !value.isBoolean()) {
                found.add(new Violation("/" + field, "this is neither true nor false", "send true or false"));
            }
            return value.booleanValue(false);
        }

        private <E extends Enum<E>> Optional<E> word(ObjectNode from, String field, String at, Class<E> words) {
            E[] all = words.getEnumConstants();
            String fix = "use "
                    + Arrays.stream(all)
                            .map(one -> one.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
            Optional<String> text = text(
                    from,
                    field,
                    at,
                    word -> Arrays.stream(all)
                            .anyMatch(one -> one.name().toLowerCase(Locale.ROOT).equals(word)),
                    fix);
            return text.map(word -> Enum.valueOf(words, word.toUpperCase(Locale.ROOT)));
        }
    }

    /** Whether these are certificates and nothing else: a key that slipped in would be handed to every cluster. */
    public static boolean isAuthority(String pem) {
        if (pem.contains("PRIVATE KEY")) {
            return false;
        }
        try {
            return !CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
                    .isEmpty();
        } catch (CertificateException e) {
            return false;
        }
    }
}
