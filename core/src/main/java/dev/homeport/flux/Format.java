package dev.homeport.flux;

/** In which form a cluster's manifests are wanted. */
public enum Format {
    /** One file for {@code kubectl apply -f -}. */
    YAML,
    /** A folder for {@code kubectl apply -k}, the secrets in a file of their own. */
    KUSTOMIZE,
    /** A chart for {@code helm upgrade --install}. */
    HELM,
    /** A module that installs that chart. */
    TERRAFORM,
    /** A ClusterResourceSet for the management cluster, which applies them to the cluster it makes. */
    CLUSTERAPI,
    /** The Secrets alone: for a store of secrets, or for a cluster that has the rest. */
    SECRETS
}
