package dev.homeport.write;

import dev.homeport.access.Actor;
import dev.homeport.access.BuiltInRoles;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;

/** The first commit of a new store. Never made because a store is empty, only because it was just created. */
public final class Founding {
    private static final List<String> TIERS = List.of("dev", "qa", "uat", "prod");

    private Founding() {}

    /** Brings the built-in roles to what this release knows; does nothing when they are. */
    public static void roles(Writer writer) {
        writer.write(WriteRequest.of(Actor.SYSTEM, "built-in roles", roles()));
    }

    private static List<Operation> roles() {
        List<Operation> operations = new ArrayList<>();
        BuiltInRoles.all()
                .forEach((id, body) -> operations.add(new Operation.Put(new DocumentKey(Types.ACCESS_ROLE, id), body)));
        return operations;
    }

    public static void found(Writer writer) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < TIERS.size(); i++) {
            operations.add(new Operation.Create(
                    new DocumentKey(Types.ENVIRONMENT, TIERS.get(i)),
                    StrictJson.object().put("id", TIERS.get(i)).put("order", (i + 1) * 10)));
        }
        operations.addAll(roles());
        writer.write(WriteRequest.of(Actor.SYSTEM, "a new store", operations));
    }
}
