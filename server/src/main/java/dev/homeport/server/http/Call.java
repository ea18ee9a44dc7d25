package dev.homeport.server.http;

import dev.homeport.access.Caller;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import io.vertx.core.MultiMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request on the admin plane, read and attributed to its caller.
 *
 * @param parameters what the placeholders of the route's path stand for
 */
public record Call(
        String method,
        String path,
        Map<String, String> parameters,
        MultiMap query,
        MultiMap headers,
        byte[] body,
        Caller caller,
        String requestId,
        String address) {

    public String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException("the route has no placeholder " + name);
        }
        return value;
    }

    public Optional<String> query(String name) {
        return Optional.ofNullable(query.get(name));
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** A query parameter that is true or false. */
    public boolean flag(String name) {
        return switch (query(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw ProblemException.invalid("/" + name, name + " is neither true nor false", "use true or false");
        };
    }

    /** A query parameter that is a number within bounds. */
    public long number(String name, long least, long most, long otherwise) {
        String text = query(name).orElse(null);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw ProblemException.invalid(
                "/" + name, name + " is not a number from " + least + " to " + most, "send such a number");
    }

    public ObjectNode json() {
        return StrictJson.parseObject(body);
    }
}
