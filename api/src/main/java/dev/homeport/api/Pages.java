package dev.homeport.api;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Follows the pages of a list. Detects a server that returns to an earlier page, which would be read forever. */
public final class Pages {
    private final ServerAddress address;
    private final Set<String> given = new HashSet<>();
    private String token = "";
    private JsonNode before = MissingNode.getInstance();

    Pages(ServerAddress address) {
        this.address = address;
    }

    /** Of the page to ask for; empty for the first one. */
    public String token() {
        return token;
    }

    /** Whether another page follows this one. A page may be empty and others follow: nothing in it was for this reader. */
    public boolean goOn(JsonNode page) {
        JsonNode entries = page.has("items") ? page.path("items") : page.path("changes");
        if (!entries.isEmpty() && entries.equals(before)) {
            throw address.repeating();
        }
        before = entries;
        return goOn(page.path("next_page_token").asString(""));
    }

    /** @param next the token of the page that follows; empty if none does */
    public boolean goOn(String next) {
        if (!next.isEmpty() && !given.add(next)) {
            throw address.repeating();
        }
        token = next;
        return !next.isEmpty();
    }
}
