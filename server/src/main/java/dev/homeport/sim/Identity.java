package dev.homeport.sim;

/**
 * The identity of a simulated cluster, and its credentials.
 *
 * @param eventKey what it signs its events with; empty: it sends none
 * @param kubernetes the version that it says it runs
 */
public record Identity(String id, String dns, String token, String eventKey, String kubernetes) {
    static final String KUBERNETES = "v1.34.1";

    public Identity(String id, String dns, String token, String eventKey) {
        this(id, dns, token, eventKey, KUBERNETES);
    }

    @Override
    public String toString() {
        return "Identity[" + id + "]"; // the rest is secret
    }
}
