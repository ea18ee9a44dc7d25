package dev.homeport.write;

import dev.homeport.access.Actor;
import dev.homeport.access.BuiltInRoles;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.Rendering;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;

/** The first commit of a new store. Never made because a store is empty, only because it was just created. */
public final class StoreInitializer {
    private static final List<String> TIERS = List.of("dev", "qa", "uat", "prod");

    private StoreInitializer() {}

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

    /**
     * A new store begins with the newest format, and says so in a document; one that says nothing is an older one.
     *
     * @return false when another server on the same database was faster, and founded it
     */
    public static boolean initialize(Writer writer) {
        return initialize(writer, List.of());
    }

    /** @param more what the first commit holds besides */
    public static boolean initialize(Writer writer, List<Operation> more) {
        List<Operation> operations = new ArrayList<>(more);
        for (int i = 0; i < TIERS.size(); i++) {
            operations.add(new Operation.Create(
                    new DocumentKey(Types.ENVIRONMENT, TIERS.get(i)),
                    StrictJson.object().put("id", TIERS.get(i)).put("order", (i + 1) * 10)));
        }
        operations.add(new Operation.Create(
                new DocumentKey(Types.SETTINGS, FleetSettings.ID),
                StrictJson.object().put("id", FleetSettings.ID).put("answer_format", Rendering.NEWEST_FORMAT)));
        operations.addAll(roles());
        try {
            writer.write(WriteRequest.of(Actor.SYSTEM, "a new store", operations));
            return true;
        } catch (ProblemException e) {
            if (e.problem().code() == ErrorCode.ALREADY_EXISTS) {
                return false;
            }
            throw e;
        }
    }
}
