package dev.homeport.server.compat;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.server.http.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a request on a root path carries, read as that service reads it. */
final class RootBody {
    private RootBody() {}

    static ObjectNode read(Call call, KnownFields known) {
        String type =
                call.header("Content-Type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !(type.startsWith("application/") && type.endsWith("+json"))) {
            throw ProblemException.refused(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "the body is not declared as JSON",
                    "send it with Content-Type: application/json");
        }
        return known.of(call.json());
    }

    /** What must be there on these paths although our own may leave it out. */
    static void checkCreate(RootCollection collection, ObjectNode body) {
        List<Violation> missing = new ArrayList<>();
        if (!body.path("id").isString() || body.path("id").stringValue().isBlank()) {
            missing.add(new Violation("/id", "the id is missing or no text", "add an id"));
        }
        if (collection == RootCollection.PLATFORM_COMPONENTS && !body.has("depends_on")) {
            missing.add(new Violation(
                    "/depends_on", "the field depends_on is missing", "add depends_on, [] for no dependencies"));
        }
        references(body, missing);
        refuse(missing);
    }

    static void checkUpdate(ObjectNode body) {
        List<Violation> missing = new ArrayList<>();
        references(body, missing);
        refuse(missing);
    }

    private static void references(ObjectNode body, List<Violation> missing) {
        JsonNode list = body.path("platform_components");
        for (int i = 0; i < list.size(); i++) {
            if (list.path(i).isObject() && !list.path(i).has("enabled")) {
                missing.add(new Violation(
                        "/platform_components/" + i + "/enabled", "the field enabled is missing", "say true or false"));
            }
        }
    }

    private static void refuse(List<Violation> missing) {
        if (!missing.isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(missing));
        }
    }
}
