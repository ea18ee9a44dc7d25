package dev.homeport.access;

import dev.homeport.document.Document;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A role, read.
 *
 * @param clusterScoped holders may deliver what concerns a whole cluster, and not only what stays in a workspace's namespaces
 */
record Role(String id, List<Rule> rules, boolean clusterScoped) {
    Role {
        rules = List.copyOf(rules);
    }

    static Role of(Document document) {
        return document.derive(known -> read(known.id(), known.tree()));
    }

    static Role read(String id, JsonNode body) {
        List<Rule> rules = new ArrayList<>();
        body.path("permissions")
                .forEach(permission -> rules.add(
                        new Rule(Rule.texts(permission.path("verbs")), Rule.texts(permission.path("types")))));
        boolean whole = body.path("cluster_scoped").booleanValue(false)
                || rules.stream().anyMatch(Rule::isEverything);
        return new Role(id, rules, whole);
    }
}
