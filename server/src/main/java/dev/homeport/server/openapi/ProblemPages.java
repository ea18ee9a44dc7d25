package dev.homeport.server.openapi;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import java.util.Arrays;
import java.util.List;

/** {@code /problems/{code}}: where the type of every problem leads. */
public final class ProblemPages {
    private ProblemPages() {}

    public static List<Route> routes() {
        return List.of(new Route(
                "GET",
                "/problems/{code}",
                "explainProblem",
                "Explain a problem type.",
                Route.Needs.NOTHING,
                ProblemPages::page));
    }

    private static Reply page(Call call) {
        ErrorCode known = Arrays.stream(ErrorCode.values())
                .filter(code -> code.code().equals(call.parameter("code")))
                .findFirst()
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.NOT_FOUND, "there is no such problem", "see the type in an answer"));
        return Reply.json(
                200,
                StrictJson.object()
                        .put("type", "/problems/" + known.code())
                        .put("code", known.code())
                        .put("status", known.httpStatus())
                        .put("exit_code", known.exitCode())
                        .put("meaning", known.meaning()));
    }
}
