package dev.homeport.write;

import dev.homeport.access.Actor;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;

/** The first commit of a new store. Never made because a store is empty, only because it was just created. */
public final class Founding {
    private static final List<String> TIERS = List.of("dev", "qa", "uat", "prod");

    private Founding() {}

    public static void found(Writer writer) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < TIERS.size(); i++) {
            operations.add(new Operation.Create(
                    new DocumentKey(Types.ENVIRONMENT, TIERS.get(i)),
                    StrictJson.object().put("id", TIERS.get(i)).put("order", (i + 1) * 10)));
        }
        writer.write(WriteRequest.of(Actor.SYSTEM, "a new store", operations));
    }
}
