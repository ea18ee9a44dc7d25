package dev.homeport.cli.login;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where the token of a CI job comes from. A context keeps this and never the token: it is asked for again by every command,
 * so nothing that could be stolen outlives the job.
 *
 * @param source {@code github}, {@code variable:NAME} or {@code file:PATH}
 * @param audience the audience to request, where the source supports it
 */
public record CiToken(String source, String audience) {
    /** What a context keeps of it. */
    public static final Set<String> SETTINGS = Set.of("ci_token", "ci_audience");

    /** The variable in which a CI job passes its token unless another one is configured. */
    public static final String VARIABLE = "HOMEPORT_ID_TOKEN";

    private static final String GITHUB = "github";
    private static final String GITHUB_URL = "ACTIONS_ID_TOKEN_REQUEST_URL";
    private static final String GITHUB_TOKEN = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";
    private static final String OF_VARIABLE = "variable:";
    private static final String OF_FILE = "file:";
    private static final int LONGEST = 64 * 1024;

    public static CiToken ofVariable(String name, String audience) {
        return new CiToken(OF_VARIABLE + name, audience);
    }

    public static CiToken ofFile(Path file, String audience) {
        return new CiToken(OF_FILE + file.toAbsolutePath().normalize(), audience);
    }

    /** What this job offers. */
    public static CiToken found(ProcessEnvironment process, String audience) {
        if (process.variable(GITHUB_URL).isPresent()) {
            return new CiToken(GITHUB, audience);
        }
        if (process.variable(VARIABLE).isPresent()) {
            return ofVariable(VARIABLE, audience);
        }
        if (process.variable("GITHUB_ACTIONS").isPresent()) {
            throw new UsageProblem("this job may not ask GitHub for a token: give it `permissions: {id-token: write}`");
        }
        if (process.variable("GITLAB_CI").isPresent()) {
            throw new UsageProblem(
                    "this job has no token: give it `id_tokens: {" + VARIABLE + ": {aud: " + audience + "}}`");
        }
        throw new UsageProblem("no token of a CI job is found here: put it into the variable " + VARIABLE
                + ", or name another with --token-variable, or a file with --token-file");
    }

    /** None where a context is signed in at by other means. */
    public static Optional<CiToken> of(Contexts.Context context) {
        return context.setting("ci_token")
                .map(source ->
                        new CiToken(source, context.setting("ci_audience").orElse("")));
    }

    public Contexts.Context in(Contexts.Context context) {
        return context.with("ci_token", source).with("ci_audience", audience);
    }

    /** Requests a new token each time. */
    public String fetch(ProcessEnvironment process) {
        String token = raw(process).strip();
        if (!token.matches("[\\x21-\\x7E]{1," + LONGEST + "}")) {
            throw needed("what " + source + " gives is no token");
        }
        return token;
    }

    private String raw(ProcessEnvironment process) {
        if (source.equals(GITHUB)) {
            return ofGitHub(process);
        }
        if (source.startsWith(OF_VARIABLE)) {
            String name = source.substring(OF_VARIABLE.length());
            return process.variable(name)
                    .orElseThrow(() -> needed("the variable " + name + " is not set: this context is for jobs that get"
                            + " their token there"));
        }
        if (source.startsWith(OF_FILE)) {
            Path file = Path.of(source.substring(OF_FILE.length()));
            try {
                if (Files.size(file) <= LONGEST) {
                    return Files.readString(file);
                }
            } catch (IOException e) {
                throw needed(file + " cannot be read: this context is for jobs that get their token there");
            }
        }
        return "";
    }

    private String ofGitHub(ProcessEnvironment process) {
        Optional<String> url = process.variable(GITHUB_URL);
        Optional<String> token = process.variable(GITHUB_TOKEN);
        if (url.isEmpty() || token.isEmpty()) {
            throw needed(
                    "GitHub gives this job no token: give it `permissions: {id-token: write}`; elsewhere, sign in again");
        }
        String asked = url.get() + (url.get().contains("?") ? "&" : "?") + "audience="
                + URLEncoder.encode(audience, StandardCharsets.UTF_8);
        try {
            // It has nothing to do with our server, so our server's certificate authority is not asked about it.
            return new ProviderCalls(Optional.empty())
                    .get(asked, token.get())
                    .path("value")
                    .asString("");
        } catch (ApiProblem | ServerUnreachable e) {
            throw needed(
                    "GitHub gave no token: " + e.getMessage() + "; look at the job's `permissions`, and try again");
        }
    }

    private static ExitException needed(String message) {
        return new ExitException(ExitCodes.LOGIN_NEEDED, message);
    }
}
