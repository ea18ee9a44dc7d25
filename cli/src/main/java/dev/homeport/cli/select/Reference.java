package dev.homeport.cli.select;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A document that the user named. */
public record Reference(Kind kind, String id) {
    /** {@code TYPE NAME…} or {@code TYPE/NAME…}; a type alone gives none. */
    public static List<Reference> all(List<String> words, HomeportClient client) {
        List<Reference> all = new ArrayList<>();
        if (words.getFirst().contains("/")) {
            words.forEach(word -> all.add(of(word, client)));
        } else {
            Kind kind = Kind.of(words.getFirst(), client);
            words.subList(1, words.size()).forEach(id -> all.add(new Reference(kind, named(id))));
        }
        return all;
    }

    public static Reference of(String word, HomeportClient client) {
        String[] parts = word.split("/", 2);
        if (parts.length < 2) {
            throw new UsageProblem(word + " names no document; write TYPE/NAME");
        }
        return new Reference(Kind.of(parts[0], client), named(parts[1]));
    }

    /** {@code NAME} or {@code cluster/NAME}. */
    public static String cluster(String word) {
        String[] parts = word.split("/", 2);
        if (parts.length == 2 && !Kind.known(parts[0]).equals(Optional.of(Kind.CLUSTER))) {
            throw new UsageProblem(word + " is not a cluster: write NAME or cluster/NAME");
        }
        return named(parts[parts.length - 1]);
    }

    private static String named(String id) {
        if (id.isEmpty()) {
            throw new UsageProblem("a name is empty: write TYPE/NAME");
        }
        return id;
    }

    /** The document as it is now, if it exists. */
    public Optional<JsonNode> find(HomeportClient client) {
        try {
            return Optional.of(client.get(path()).body());
        } catch (ApiProblem e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public String path() {
        return kind.path(id);
    }

    @Override
    public String toString() {
        return kind.name() + "/" + id;
    }
}
