package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.fleet.FleetView;

/** The stored state that rights are judged on. */
public interface AccessView extends FleetView {
    /** Documents, other than clusters, that are indexed under a key: see {@link AccessKeys}. */
    Iterable<DocumentKey> users(String key);

    /** All documents of a type. */
    Iterable<Document> documents(String type);

    /** The clusters of a workspace. */
    Iterable<Document> clustersOf(String workspace);
}
