package dev.homeport.cli.output;

import dev.homeport.cli.terminal.UsageProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Which columns a type has. Name first, age last. */
public final class Columns {
    private static final Duration STANDARD_INTERVAL = Duration.ofMinutes(5);

    private final Ages ages;

    public Columns(Ages ages) {
        this.ages = ages;
    }

    /** @param type the type's name, or a word for what is no document */
    public List<Column> of(String type) {
        return switch (type) {
            case "cluster" -> clusters();
            case "platform_component" ->
                List.of(
                        name(),
                        Column.field("VERSION", "spec.component_version"),
                        Column.field("TAG", "spec.oci_tag"),
                        Column.field("CLUSTERS", "status.used_by_clusters"),
                        Column.wideField("KIND", "spec.kind"),
                        Column.wideField("PATH", "spec.component_path"),
                        Column.wideField("URL", "spec.oci_url"),
                        Column.wideField("OWNER", "spec.owner"),
                        age());
            case "environment" ->
                List.of(
                        name(),
                        Column.field("ORDER", "spec.order"),
                        users(),
                        Column.wideField("OWNER", "spec.owner"),
                        age());
            case "workspace", "cluster_template", "namespace", "rolebinding" ->
                List.of(name(), Column.field("OWNER", "spec.owner"), users(), revision(), updatedBy(), age());
            case "token" ->
                List.of(
                        name(),
                        Column.field("KIND", "spec.kind"),
                        Column.prose("SUBJECT", "spec.subject"),
                        Column.field("ACCESS", "spec.access"),
                        Column.of("EXPIRES", ages.until("spec.expires_at")),
                        Column.of("LAST-USED", ages.since("status.last_used_at")),
                        Column.wideField("MADE-BY", "spec.made_by"),
                        Column.wideField("PARENT", "spec.parent"),
                        Column.wideField("LABEL", "spec.label"),
                        age());
            case "freeze" ->
                List.of(
                        name(),
                        Column.field("SCOPE", "spec.scope"),
                        Column.of("ENDS", ages.until("spec.expires_at")),
                        Column.field("OWNER", "spec.owner"),
                        Column.prose("REASON", "spec.reason"),
                        age());
            case "change" ->
                List.of(
                        Column.of(
                                "NAME",
                                change -> "ch-" + change.path("revision").asString("")),
                        Column.field("ACTOR", "actor"),
                        Column.field("DOCUMENTS", "change_count"),
                        Column.prose("REASON", "reason"),
                        Column.wideField("MARKS", "marks"),
                        Column.wideField("REQUEST", "request_id"),
                        Column.wideField("AT", "at"),
                        Column.of("AGE", ages.since("at")));
            case "refusal" ->
                List.of(
                        Column.field("AT", "at"),
                        Column.field("ACTOR", "actor"),
                        Column.field("CODE", "code"),
                        Column.prose("DETAIL", "detail"));
            case "finding" ->
                List.of(
                        Column.field("KIND", "kind"),
                        Column.field("SEVERITY", "severity"),
                        Column.field("SUBJECT", "subject"),
                        Column.prose("DETAIL", "detail"),
                        Column.wideField("SOURCE", "source"),
                        Column.wideField("NEXT", "next"),
                        Column.of("AGE", ages.since("since")));
            case "probe" ->
                List.of(
                        name(),
                        Column.field("KIND", "spec.object.kind"),
                        Column.field("OBJECT", "spec.object.name"),
                        Column.field("SCOPE", "spec.scope"),
                        Column.wideField("NAMESPACE", "spec.object.namespace"),
                        Column.wideField("EXPRESSION", "spec.expression"),
                        Column.prose("TITLE", "spec.title"),
                        age());
            case "probe_result" ->
                List.of(
                        Column.field("CLUSTER", "cluster"),
                        Column.field("OUTCOME", "outcome"),
                        Column.prose("ANSWER", "answer"),
                        Column.field("STATE", "state"),
                        Column.wideField("SOURCE", "source"),
                        Column.of("AGE", ages.since("at")));
            case "type" ->
                List.of(
                        Column.field("NAME", "name"),
                        Column.field("PLURAL", "plural"),
                        Column.field("PART", "part"),
                        Column.field("BUILT-IN", "built_in"));
            case "context" ->
                List.of(
                        Column.field("NAME", "name"),
                        Column.field("CURRENT", "current"),
                        Column.field("SIGN-IN", "sign_in"),
                        Column.field("WORKSPACE", "workspace"),
                        Column.field("SERVER", "server"));
            default -> List.of(name(), revision(), updatedBy(), age());
        };
    }

    private List<Column> clusters() {
        return List.of(
                name(),
                Column.of("STATE", Columns::state),
                Column.field("ENV", "spec.environment"),
                Column.field("WORKSPACE", "spec.workspace"),
                Column.wideField("OWNER", "spec.owner"),
                Column.wideField("TEMPLATE", "spec.template"),
                Column.wideField("DNS", "spec.cluster_dns"),
                Column.wide("KUBERNETES", Columns::kubernetes),
                Column.wideField("FLUX", "status.flux_version"),
                Column.wideField("LABELS", "spec.labels"),
                Column.of("LAST-POLL", ages.since("status.last_polled_at")),
                Column.wide("NEXT-POLL", this::nextPoll),
                Column.wideField("NOT-REPORTING", "status.not_reporting"),
                age());
    }

    private static Column name() {
        return Column.field("NAME", "id");
    }

    private Column age() {
        return Column.of("AGE", ages.since("meta.created_at"));
    }

    private static Column users() {
        return Column.field("CLUSTERS", "status.used_by_clusters");
    }

    private static Column revision() {
        return Column.field("REVISION", "meta.revision");
    }

    private static Column updatedBy() {
        return Column.field("UPDATED-BY", "meta.updated_by");
    }

    /** The server's word where it has one; else what its phase and polls say. */
    public static String state(JsonNode cluster) {
        JsonNode status = cluster.path("status");
        if (status.path("state").isString()) {
            return status.path("state").stringValue();
        }
        if (status.has("fault")) {
            return "unreadable";
        }
        String phase = status.path("phase").asString("");
        if (!phase.equals("active")) {
            return phase;
        }
        if (!status.has("last_polled_at")) {
            return "new";
        }
        return status.path("paused").asBoolean(false) ? "paused" : "polling";
    }

    /** What the cluster reported, else what its document says it should be. */
    private static String kubernetes(JsonNode cluster) {
        String reported = cluster.path("status").path("kubernetes_version").asString("");
        String declared = cluster.path("spec").path("kubernetes_version").asString("");
        return reported.isEmpty() && !declared.isEmpty() ? declared + " (declared)" : reported;
    }

    /** In a pull model the honest answer to "when" is the next poll. */
    private String nextPoll(JsonNode cluster) {
        Optional<Instant> last =
                Ages.time(cluster.path("status").path("last_polled_at").asString(""));
        Duration interval = Ages.duration(
                        cluster.path("spec").path("poll_interval").asString(""))
                .orElse(STANDARD_INTERVAL);
        return last.map(time -> ages.ahead(time.plus(interval))).orElse("");
    }

    /** Columns by heading, or by the path of any field: {@code name,state,labels.region}. */
    public List<Column> chosen(String type, String names) {
        List<Column> known = of(type);
        List<Column> chosen = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            String word = name.strip();
            if (word.isEmpty()) {
                throw new UsageProblem("--columns has an empty name: write NAME,NAME");
            }
            chosen.add(known.stream()
                    .filter(column -> column.heading().equalsIgnoreCase(word.replace('_', '-')))
                    .findFirst()
                    .orElseGet(() -> anyField(word)));
        }
        return chosen;
    }

    private static Column anyField(String path) {
        return Column.of(path.toUpperCase(Locale.ROOT).replace(' ', '-'), document -> {
            for (String root : List.of("", "spec.", "status.", "meta.")) {
                JsonNode found = Column.at(document, root + path);
                if (!found.isMissingNode()) {
                    return Column.text(found);
                }
            }
            return "";
        });
    }
}
