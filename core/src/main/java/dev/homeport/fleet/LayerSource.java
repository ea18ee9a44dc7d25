package dev.homeport.fleet;

import dev.homeport.document.Document;

/** A layer and where it comes from. */
public record LayerSource(Kind kind, Document document, Layer layer) {

    /** In order of precedence, the last wins. */
    public enum Kind {
        CATALOG,
        TEMPLATE,
        TEMPLATE_BY_ENVIRONMENT,
        ENVIRONMENT,
        WORKSPACE,
        WORKSPACE_BY_ENVIRONMENT,
        CLUSTER;

        /** Whether a tenant may have written it. */
        boolean isTenants() {
            return compareTo(WORKSPACE) >= 0;
        }

        /** The place directly behind this one, for what a document says about one environment. */
        Kind byEnvironment() {
            return this == TEMPLATE ? TEMPLATE_BY_ENVIRONMENT : WORKSPACE_BY_ENVIRONMENT;
        }
    }
}
