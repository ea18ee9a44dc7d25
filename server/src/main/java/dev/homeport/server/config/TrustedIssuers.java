package dev.homeport.server.config;

import dev.homeport.server.config.SignInSettings.Issuer;
import dev.homeport.server.config.SignInSettings.Pipelines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A YAML file with the CI systems whose jobs authenticate with their own tokens. A file and not documents: Homeport fetches
 * keys from the addresses in it, and must not fetch from an address that came by request.
 */
final class TrustedIssuers {
    private static final Set<String> FIELDS = Set.of("name", "issuer", "audience", "claims", "subject", "ca");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,30}");

    private final Path file;
    private final List<String> wrong;

    private TrustedIssuers(Path file, List<String> wrong) {
        this.file = file;
        this.wrong = wrong;
    }

    /** @param wrong receives the errors in the file */
    static List<Pipelines> read(Path file, List<String> wrong) {
        return new TrustedIssuers(file, wrong).read();
    }

    private List<Pipelines> read() {
        JsonNode whole;
        try {
            whole = new YAMLMapper().readTree(Files.readString(file));
        } catch (IOException e) {
            wrong.add("trusted_issuers: " + file + " cannot be read: " + e.getMessage());
            return List.of();
        } catch (JacksonException e) {
            wrong.add("trusted_issuers: " + file + " is not YAML: " + e.getOriginalMessage());
            return List.of();
        }
        if (!whole.path("issuers").isArray() || whole.size() != 1) {
            wrong.add("trusted_issuers: " + file + " has not the one field issuers, a list");
            return List.of();
        }
        List<Pipelines> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int number = 0;
        for (JsonNode entry : whole.path("issuers")) {
            String where = file + " /issuers/" + number++;
            Pipelines one = entry(entry, where);
            if (!names.add(one.name())) {
                wrong.add("trusted_issuers: " + where + " has a name that another has too");
            }
            all.add(one);
        }
        return all;
    }

    private Pipelines entry(JsonNode entry, String where) {
        entry.propertyNames().stream()
                .filter(field -> !FIELDS.contains(field))
                .forEach(field -> wrong.add("trusted_issuers: " + where + " has an unknown field " + field));
        String name = text(entry, "name", where, Function.identity()).orElse("");
        if (!NAME.matcher(name).matches()) {
            wrong.add("trusted_issuers: " + where + " needs a name of small letters, digits and -");
        }
        SubjectTemplate subject =
                text(entry, "subject", where, SubjectTemplate::parse).orElseGet(() -> SubjectTemplate.parse("unknown"));
        Map<String, Set<String>> claims = new LinkedHashMap<>();
        entry.path("claims").forEachEntry((claim, value) -> claims.put(claim, values(value, where + "/claims")));
        if (claims.isEmpty() && !subject.hasClaims()) {
            wrong.add(
                    "trusted_issuers: " + where
                            + " would give one name to every job: say which claims it must have, or put claims into the subject");
        }
        return new Pipelines(
                name,
                new Issuer(
                        text(entry, "issuer", where, Issuer::parse).orElse(""),
                        entry.has("ca") ? text(entry, "ca", where, Path::of) : Optional.empty()),
                text(entry, "audience", where, Function.identity()).orElse(""),
                claims,
                subject);
    }

    private Set<String> values(JsonNode node, String where) {
        Set<String> values = new LinkedHashSet<>();
        if (node.isArray()) {
            node.forEach(one -> values.add(one.asString("")));
        } else if (node.isValueNode() && !node.isNull()) {
            values.add(node.asString(""));
        }
        if (values.isEmpty() || values.contains("")) {
            wrong.add("trusted_issuers: " + where + " has a claim without a value");
        }
        return Set.copyOf(values);
    }

    private <T> Optional<T> text(JsonNode entry, String field, String where, Function<String, T> parse) {
        String text = entry.path(field).stringValue("");
        if (text.isEmpty()) {
            wrong.add("trusted_issuers: " + where + " has no " + field);
            return Optional.empty();
        }
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            wrong.add("trusted_issuers: " + where + "/" + field + " " + e.getMessage());
            return Optional.empty();
        }
    }
}
