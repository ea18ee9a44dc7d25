package dev.homeport.support;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who may do what, said a second time: no indexes, no documents, a loop over all grants for every question. */
public final class AccessModel {
    public static final List<String> ROLES =
            List.of("viewer", "auditor", "service", "workspace-admin", "cluster-admin", "operator", "platform-admin");

    private static final Set<String> OF_CLUSTERS = Set.of("create", "update", "delete", "decommission");
    private static final Set<String> OF_TOKENS = Set.of("create", "update", "delete");

    public final List<Grant> grants = new ArrayList<>();
    public final Map<String, Target> clusters = new HashMap<>();

    /** What became of a wish. */
    public enum Decision {
        ALLOWED,
        FORBIDDEN,
        ABSENT
    }

    /** A verb on documents of a type. */
    public record Right(String verb, String type) {
        public static final Right UPDATE = new Right("update", "cluster");
        public static final Right DELETE = new Right("delete", "cluster");
        public static final Right DECOMMISSION = new Right("decommission", "cluster");
        public static final Right CREDENTIALS = new Right("update", "token");
    }

    /** What something is about; without environments it is about all of them. */
    public record Target(
            @Nullable String cluster,
            @Nullable String workspace,
            @Nullable Set<String> environments) {}

    /** A grant as its document has it; no environments and no verbs are all of them. */
    public record Grant(
            String id,
            String subject,
            String role,
            String scope,
            String scopeId,
            Set<String> environments,
            Set<String> verbs) {
        public String json() {
            StringBuilder json = new StringBuilder("{\"subject\": \"" + subject + "\", \"role\": \"" + role + "\"");
            json.append(", \"scope\": {\"" + scope + "\": ");
            json.append(scope.equals("fleet") ? "true" : "\"" + scopeId + "\"").append("}");
            list(json, "environments", environments);
            list(json, "verbs", verbs);
            return json.append("}").toString();
        }

        private static void list(StringBuilder json, String field, Set<String> words) {
            if (!words.isEmpty()) {
                json.append(", \"" + field + "\": [\"" + String.join("\", \"", new TreeSet<>(words)) + "\"]");
            }
        }

        boolean gives(String verb, String type) {
            return (verbs.isEmpty() || verbs.contains(verb)) && roleGives(verb, type);
        }

        private boolean roleGives(String verb, String type) {
            boolean reads = verb.equals("read");
            boolean catalog = Set.of("cluster", "workspace", "environment", "platform_component")
                    .contains(type);
            return switch (role) {
                case "platform-admin" -> true;
                case "auditor" -> reads;
                case "viewer" -> reads && catalog;
                case "service" ->
                    reads && catalog
                            || verb.equals("update")
                                    && Set.of("cluster", "workspace", "environment")
                                            .contains(type);
                case "workspace-admin" ->
                    reads
                            || type.equals("cluster") && OF_CLUSTERS.contains(verb)
                            || type.equals("workspace") && verb.equals("update")
                            || type.equals("token") && OF_TOKENS.contains(verb);
                case "cluster-admin" ->
                    reads
                            || type.equals("cluster") && OF_CLUSTERS.contains(verb)
                            || type.equals("token") && OF_TOKENS.contains(verb);
                case "operator" ->
                    reads && catalog
                            || type.equals("cluster") && OF_CLUSTERS.contains(verb)
                            || Set.of("workspace", "environment").contains(type) && verb.equals("update")
                            || Set.of("platform_component", "token").contains(type) && OF_TOKENS.contains(verb);
                default -> throw new IllegalArgumentException(role);
            };
        }

        boolean isNowhere() {
            return scope.equals("environment") && !environments.isEmpty() && !environments.contains(scopeId);
        }

        boolean reaches(Target target) {
            if (isNowhere()) {
                return false;
            }
            boolean inScope = switch (scope) {
                case "cluster" -> scopeId.equals(target.cluster());
                case "workspace" -> scopeId.equals(target.workspace());
                case "environment" ->
                    target.environments() != null && Set.of(scopeId).containsAll(target.environments());
                default -> true;
            };
            return inScope
                    && (environments.isEmpty()
                            || target.environments() != null && environments.containsAll(target.environments()));
        }
    }

    /** The same for one caller. */
    public final class View {
        private final Set<String> subjects;

        private View(Set<String> subjects) {
            this.subjects = subjects;
        }

        @Override
        public String toString() {
            return subjects + " with " + mine();
        }

        private List<Grant> mine() {
            return grants.stream()
                    .filter(grant -> subjects.contains(grant.subject()))
                    .toList();
        }

        private boolean may(String verb, String type, Target target) {
            return mine().stream().anyMatch(grant -> grant.gives(verb, type) && grant.reaches(target));
        }

        private boolean seesAll() {
            return mine().stream()
                    .anyMatch(grant -> Set.of("auditor", "platform-admin").contains(grant.role())
                            && grant.gives("read", "token")
                            && grant.reaches(new Target(null, null, null)));
        }

        public boolean sees(String type, String id) {
            return seesAll()
                    || switch (type) {
                        case "cluster" -> may("read", type, clusters.get(id));
                        case "workspace" -> seesWorkspace(id);
                        case "access_grant" -> seesGrant(id);
                        default -> mine().stream().anyMatch(grant -> grant.gives("read", type) && !grant.isNowhere());
                    };
        }

        private boolean seesWorkspace(String id) {
            Target target = new Target(null, id, Set.of());
            return mine().stream()
                    .filter(grant -> grant.reaches(target))
                    .anyMatch(grant -> grant.gives("update", "workspace")
                            || grant.gives("read", "workspace")
                                    && (grant.scope().equals("workspace")
                                            || grant.scope().equals("fleet")
                                                    && grant.environments().isEmpty()));
        }

        private boolean seesGrant(String id) {
            Grant shown = grants.stream()
                    .filter(grant -> grant.id().equals(id))
                    .findFirst()
                    .orElseThrow();
            return subjects.contains(shown.subject()) || may("read", "access_grant", about(shown));
        }

        private Target about(Grant grant) {
            Set<String> within = grant.environments().isEmpty() ? null : grant.environments();
            return switch (grant.scope()) {
                case "cluster" -> {
                    Target cluster = clusters.get(grant.scopeId());
                    yield within == null ? cluster : new Target(cluster.cluster(), cluster.workspace(), within);
                }
                case "workspace" -> new Target(null, grant.scopeId(), within);
                case "environment" -> new Target(null, null, grant.isNowhere() ? Set.of() : Set.of(grant.scopeId()));
                default -> new Target(null, null, within);
            };
        }

        /** A change of a document, which may not exist before or after; the caller needs rights on both sides. */
        public Decision change(String verb, String type, String id, @Nullable Target before, @Nullable Target after) {
            if (before == null || !sees(type, id)) {
                return Decision.ABSENT;
            }
            boolean moves = after != null && !after.equals(before);
            boolean allowed = moves
                    ? may(verb, type, without(before)) && may(verb, type, without(after))
                    : may(verb, type, before);
            return allowed ? Decision.ALLOWED : Decision.FORBIDDEN;
        }

        /** A change that makes something else possible needs the right to that too, asked in the same place. */
        public Decision change(List<Right> rights, String cluster, @Nullable Target before, @Nullable Target after) {
            if (before == null || !sees("cluster", cluster)) {
                return Decision.ABSENT;
            }
            boolean moves = after != null && !after.equals(before);
            boolean allowed = rights.stream()
                    .allMatch(right -> moves
                            ? may(right.verb(), right.type(), without(before))
                                    && may(right.verb(), right.type(), without(after))
                            : may(right.verb(), right.type(), before));
            return allowed ? Decision.ALLOWED : Decision.FORBIDDEN;
        }

        /** A move is about where the cluster is, whichever it is. */
        private static Target without(Target cluster) {
            return new Target(null, cluster.workspace(), cluster.environments());
        }

        /** What exists and is seen is in the way before rights are asked; else rights come first. */
        public Decision creation(String id, Target target) {
            boolean inTheWay = clusters.containsKey(id) && sees("cluster", id);
            return inTheWay || may("create", "cluster", target) ? Decision.ALLOWED : Decision.FORBIDDEN;
        }

        public Decision layered(String type, String id, Target target) {
            return !sees(type, id)
                    ? Decision.ABSENT
                    : may("update", type, target) ? Decision.ALLOWED : Decision.FORBIDDEN;
        }
    }

    public View of(Set<String> subjects) {
        return new View(subjects);
    }
}
