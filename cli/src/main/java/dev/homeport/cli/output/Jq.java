package dev.homeport.cli.output;

import dev.homeport.cli.terminal.UsageProblem;
import java.io.PrintStream;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import tools.jackson.databind.JsonNode;

/** Programs of jq; texts are printed raw, as {@code jq -r} does. */
public final class Jq {
    private Jq() {}

    public static void run(String program, JsonNode input, PrintStream out) {
        try {
            Scope scope = Scope.newEmptyScope();
            BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_7, scope);
            JsonQuery.compile(program, Versions.JQ_1_7)
                    .apply(scope, input, result -> out.println(result.isString() ? result.stringValue() : result));
        } catch (JsonQueryException e) {
            throw new UsageProblem("the jq program does not work: "
                    + String.valueOf(e.getMessage())
                            .replace(" at [No location information]", "")
                            .strip()
                    + "; look at what it is given with -o json");
        }
        out.flush();
    }
}
