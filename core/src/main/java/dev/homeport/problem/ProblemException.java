package dev.homeport.problem;

import dev.homeport.api.ErrorCode;
import java.util.List;

/** The caller is wrong, or the moment is. Anything else that is thrown is a bug. */
public class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.code().code() + ": " + problem.detail());
        this.problem = problem;
    }

    public static ProblemException refused(ErrorCode code, String detail, String next) {
        return new ProblemException(new Problem.Refused(code, detail, next));
    }

    public static ProblemException refused(ErrorCode code, String detail, String next, List<String> involved) {
        return new ProblemException(new Problem.Refused(code, detail, next, involved));
    }

    public static ProblemException invalid(String pointer, String detail, String fix) {
        return new ProblemException(Problem.Invalid.of(pointer, detail, fix));
    }

    public Problem problem() {
        return problem;
    }
}
