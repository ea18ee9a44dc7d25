package dev.homeport.write;

import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;

/** The change takes something away; the plan says what, and the token says that it was seen. */
public final class ConfirmationRequired extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final transient Plan plan;
    private final String why;
    private final String token;

    ConfirmationRequired(ErrorCode code, String why, Plan plan, String token) {
        super(new Problem.Refused(
                code,
                why + ": " + String.join("; ", plan.guards()),
                "look at the plan and repeat the request with its confirmation",
                plan.guards()));
        this.why = why;
        this.plan = plan;
        this.token = token;
    }

    /** The same without what the caller does not see. */
    ConfirmationRequired discreet(Powers powers) {
        return powers.seesAll() ? this : new ConfirmationRequired(problem().code(), why, plan.discreet(powers), token);
    }

    public Plan plan() {
        return plan;
    }

    public String token() {
        return token;
    }
}
