package dev.homeport.e2e.stack;

import java.util.List;

/** A kind of object, with the version of its API. */
public record Kind(String apiVersion, String name) {
    public static final Kind PROVIDER = new Kind("fluxcd.controlplane.io/v1", "ResourceSetInputProvider");
    public static final Kind RESOURCE_SET = new Kind("fluxcd.controlplane.io/v1", "ResourceSet");
    public static final Kind OCI_REPOSITORY = new Kind("source.toolkit.fluxcd.io/v1", "OCIRepository");
    public static final Kind HELM_REPOSITORY = new Kind("source.toolkit.fluxcd.io/v1", "HelmRepository");
    public static final Kind KUSTOMIZATION = new Kind("kustomize.toolkit.fluxcd.io/v1", "Kustomization");
    public static final Kind HELM_RELEASE = new Kind("helm.toolkit.fluxcd.io/v2", "HelmRelease");
    public static final Kind NAMESPACE = new Kind("v1", "Namespace");
    public static final Kind CONFIG_MAP = new Kind("v1", "ConfigMap");
    public static final Kind SECRET = new Kind("v1", "Secret");
    public static final Kind SERVICE_ACCOUNT = new Kind("v1", "ServiceAccount");
    public static final Kind CLUSTER_ROLE = new Kind("rbac.authorization.k8s.io/v1", "ClusterRole");
    public static final Kind CLUSTER_ROLE_BINDING = new Kind("rbac.authorization.k8s.io/v1", "ClusterRoleBinding");
    public static final Kind ROLE_BINDING = new Kind("rbac.authorization.k8s.io/v1", "RoleBinding");
    public static final Kind ALERT = new Kind("notification.toolkit.fluxcd.io/v1beta3", "Alert");
    public static final Kind NOTIFIER = new Kind("notification.toolkit.fluxcd.io/v1beta3", "Provider");

    static final List<Kind> OF_FLUX =
            List.of(PROVIDER, RESOURCE_SET, OCI_REPOSITORY, HELM_REPOSITORY, KUSTOMIZATION, HELM_RELEASE);

    /** What an answer of Homeport's can make, directly or through a source. */
    static final List<Kind> DELIVERED = List.of(
            PROVIDER,
            RESOURCE_SET,
            OCI_REPOSITORY,
            HELM_REPOSITORY,
            KUSTOMIZATION,
            HELM_RELEASE,
            NAMESPACE,
            CONFIG_MAP,
            SECRET,
            SERVICE_ACCOUNT,
            CLUSTER_ROLE,
            CLUSTER_ROLE_BINDING,
            ROLE_BINDING);

    @Override
    public String toString() {
        return name;
    }
}
