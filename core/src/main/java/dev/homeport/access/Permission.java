package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.fleet.FleetView;
import java.util.Optional;

/** The one question asked of every write. Judged on stored state, never on what a request claims. */
@FunctionalInterface
public interface Permission {
    /** Why the caller may not do this, or nothing. Asked for each document that a request changes. */
    Optional<String> refusal(
            Caller caller, Verb verb, FleetView view, Optional<Document> before, Optional<Document> after);
}
