package dev.homeport.write;

import dev.homeport.access.Verb;
import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Note;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** One step of a request. A request's operations are applied in order and become one commit. */
public sealed interface Operation {
    DocumentKey key();

    Verb verb();

    /** Makes a document that must not exist. */
    record Create(DocumentKey key, ObjectNode body) implements Operation {
        @Override
        public Verb verb() {
            return Verb.CREATE;
        }
    }

    /** Replaces a document whole. */
    record Replace(DocumentKey key, ObjectNode body, Expected expected) implements Operation {
        @Override
        public Verb verb() {
            return Verb.UPDATE;
        }
    }

    /** Makes or replaces a document, whichever applies. */
    record Put(DocumentKey key, ObjectNode body) implements Operation {
        @Override
        public Verb verb() {
            return Verb.UPDATE;
        }
    }

    /** Changes a document by a function of its present body; applied again when the head has moved. */
    record Edit(DocumentKey key, UnaryOperator<ObjectNode> change, Expected expected) implements Operation {
        @Override
        public Verb verb() {
            return Verb.UPDATE;
        }
    }

    /** Removes a document; for a cluster, decommissions it. */
    record Delete(DocumentKey key, Expected expected) implements Operation {
        @Override
        public Verb verb() {
            return Verb.DELETE;
        }
    }

    /** Takes one step of a document back, also when the document has moved on since; see {@link Undoing}. */
    record Undo(DocumentKey key, Optional<Body> before, Optional<Body> after) implements Operation {
        @Override
        public Verb verb() {
            return before.isPresent() ? Verb.UPDATE : Verb.DELETE;
        }
    }

    /** Something that happens to a cluster rather than to its document. */
    sealed interface OnCluster extends Operation {
        String cluster();

        @Override
        default DocumentKey key() {
            return new DocumentKey(Types.CLUSTER, cluster());
        }
    }

    /**
     * Empties every answer, now or at the end of a grace.
     *
     * @param namespaces what becomes of the cluster's namespaces
     */
    record Decommission(String cluster, Optional<Instant> at, Namespaces namespaces) implements OnCluster {
        /** Namespaces contain data of their users, so they stay unless the request says otherwise. */
        public enum Namespaces {
            KEEP,
            /** First served without their protection, and emptied once the cluster has applied that. */
            DELETE
        }

        public Decommission(String cluster, Optional<Instant> at) {
            this(cluster, at, Namespaces.KEEP);
        }

        @Override
        public Verb verb() {
            return Verb.DECOMMISSION;
        }
    }

    /** Takes a decommission or a detachment back. */
    record Undelete(String cluster) implements OnCluster {
        @Override
        public Verb verb() {
            return Verb.UNDELETE;
        }
    }

    /** Stops managing the cluster and leaves everything on it as it is. */
    record Detach(String cluster) implements OnCluster {
        @Override
        public Verb verb() {
            return Verb.DETACH;
        }
    }

    /** Forgets a cluster that has left. */
    record Purge(String cluster, boolean force) implements OnCluster {
        @Override
        public Verb verb() {
            return Verb.PURGE;
        }
    }

    /** Pins the answers as they are now. */
    record Pause(String cluster, Note note) implements OnCluster {
        @Override
        public Verb verb() {
            return Verb.PAUSE;
        }
    }

    /**
     * Writes what Homeport keeps about the cluster again, because it cannot be read.
     *
     * @param written as the log has it; without it the cluster is detached, so that nothing on it changes
     */
    record Repair(String cluster, Optional<Body> written) implements OnCluster {
        @Override
        public Verb verb() {
            return Verb.UNDELETE;
        }
    }

    /**
     * Notes which observed store sees all polls from now on. Homeport's own.
     *
     * @param name is in that observed store and in no other
     */
    record Watch(String name) implements Operation {
        public static final DocumentKey KEY = new DocumentKey(Types.OBSERVER, "fleet");

        @Override
        public DocumentKey key() {
            return KEY;
        }

        @Override
        public Verb verb() {
            return Verb.UPDATE;
        }
    }

    /** Lets the pin go. */
    record Resume(String cluster) implements OnCluster {
        @Override
        public Verb verb() {
            return Verb.RESUME;
        }
    }
}
