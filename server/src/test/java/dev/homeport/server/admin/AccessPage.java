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
                within a scope, and may narrow it to verbs, types and environments. What is not granted is refused, nobody
                grants what he does not hold, and what somebody may not see is answered like what is not there.

                A cell has the status for what is his own, for another's and for what is not there; one status where there is
                only one case. Writes are dry runs; 409 is a refusal for the state that was met (something is in use, or in
                another phase). *viewer*, *service* and *workspace-admin* hold their role in one workspace, *cluster-admin* on
                one cluster of it, *auditor* and *operator* in the fleet. *nobody* has a token and no grant; *member* comes
                with the token of an identity provider, in a group that is admin of a workspace; *reader* and *admin* are tokens
                that hold their rights by themselves.

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
