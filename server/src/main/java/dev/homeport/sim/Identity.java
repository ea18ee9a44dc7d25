package dev.homeport.sim;

/**
 * Who a simulated cluster is, and what it was given to phone home with.
 *
 * @param eventKey what it signs its events with; empty: it sends none
 */
public record Identity(String id, String dns, String token, String eventKey) {
    @Override
    public String toString() {
        return "Identity[" + id + "]"; // the rest is secret
    }
}
