package dev.homeport.server.admin;

import dev.homeport.server.admin.AccessRules.Principal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The authorization matrix as a page. Operations with the same answers share a row. */
final class AccessPage {
    private AccessPage() {}

    static String of(Map<String, Map<Principal, String>> rows) {
        StringBuilder page = new StringBuilder("""
                # Who may do what

                Printed by `AccessMatrixTest`, which asks a running server for every cell; do not edit. An operation of the
                OpenAPI document without a rule fails the build.

                Roles are documents (`access_role`); a grant (`access_grant`) joins a person, a group or a service to a role
                within a scope, and may narrow it to verbs, types and environments. What is not granted is refused, a caller
                grants only rights that it holds, and hidden documents return 404.

                A cell has the status for the caller's own documents, for documents of others and for unknown ones; one status where there is
                only one case. Writes are dry runs; 409 is a refusal for the state that was met (something is in use, or in
                another phase). *viewer*, *service* and *workspace-admin* hold their role in one workspace, *cluster-admin* on
                one cluster of it, *auditor* and *operator* in the fleet. *ungranted* has a token and no grant; *member* comes
                with the token of an identity provider, in a group that is admin of a workspace; *reader* and *admin* are tokens
                that hold their rights by themselves.

                ## Rights that a change needs besides its own verb

                What Homeport does later by itself needs the right of the caller who sets it up, when it is set up, on every path
                ([ADR 20](adr/0020-rights-through-time.md)). Postponing an end needs `update` alone.

                | change | right |
                |---|---|
                | set `expires_at` of a cluster, bring it nearer or back; a grace; undelete or reattach a cluster that has an end | `decommission` on the cluster |
                | take the protection of a cluster away, with `protected` or by a move to another environment | `decommission` on the cluster |
                | pause with an end | `resume` on the cluster |
                | change `cluster_dns` or `dns_aliases` | `delete` on the cluster |
                | change `event_key` | `update` on tokens of the cluster |
                | set or bring nearer the end of a freeze or grant that exists; change the scope of a freeze | `delete` on it |
                | bring the end of another subject's token nearer, also by rotating it | `delete` on the token |
                | take `stateful` away, or set `keep: false` | `delete` on the component or namespace |
                | overrides, patches and aliases that expire | what removing them now needs |
                | revert a deletion | `create` |
                | grant | to hold the same, for as long; a holder until a time grants it until then at most |

                A cluster that moves to another workspace leaves the grants on it behind, and its unused join tokens: the plan lists them. Its own token stays,
                because the cluster polls with it; its maker in the former workspace may have kept it, so rotate it after the move.

                A right shows the past of the workspace, cluster or environment that has the name now, since that was created; a right on one cluster
                shows nothing of a workspace that the cluster was in before.

                *Tenants* hold a role that is not `cluster_scoped` in a workspace or on a cluster. What a template or an environment assigns is
                not theirs to patch, disable or remove, unless the component says `tenants_may: patch` or `tenants_may: remove` (a platform field); what the
                workspace or the cluster assigns itself is its own. What neither assigns is not patched or opted out of in advance.

                ## Operations

                """);
        page.append("| operation |");
        for (Principal principal : Principal.values()) {
            page.append(' ')
                    .append(principal.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .append(" |");
        }
        page.append("\n|---|").append("---|".repeat(Principal.values().length)).append('\n');
        Map<Map<Principal, String>, List<String>> same = new LinkedHashMap<>();
        rows.forEach((operation, row) ->
                same.computeIfAbsent(row, key -> new ArrayList<>()).add(operation));
        same.forEach((row, operations) -> {
            page.append("| `").append(String.join("`<br>`", operations)).append("` |");
            for (Principal principal : Principal.values()) {
                page.append(' ').append(row.get(principal)).append(" |");
            }
            page.append('\n');
        });
        return page.toString();
    }
}
