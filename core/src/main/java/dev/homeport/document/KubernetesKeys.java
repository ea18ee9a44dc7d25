package dev.homeport.document;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Keys of labels and annotations. Those that steer Flux, Kubernetes, Helm or Homeport are not for users: the annotation
 * {@code fluxcd.controlplane.io/reconcile: disabled}, for one, deletes the object.
 */
final class KubernetesKeys {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final List<String> RESERVED =
            List.of("fluxcd.io", "controlplane.io", "kubernetes.io", "k8s.io", "helm.sh", "homeport.dev");

    private KubernetesKeys() {}

    static Optional<String> label(String key) {
        return check(key, "pod-security.kubernetes.io");
    }

    static Optional<String> clusterLabel(String key) {
        return check(key, "topology.kubernetes.io");
    }

    static Optional<String> annotation(String key) {
        return check(key, "");
    }

    private static Optional<String> check(String key, String allowedDomain) {
        int slash = key.indexOf('/');
        String domain = key.substring(0, Math.max(slash, 0));
        boolean sound = slash < 0 || (domain.length() <= 253 && IdRules.isSubdomain(domain));
        if (!sound || !NAME.matcher(key.substring(slash + 1)).matches()) {
            return Optional.of("this is not a Kubernetes key");
        }
        return domain.equals(allowedDomain) ? Optional.empty() : reserved(domain);
    }

    private static Optional<String> reserved(String domain) {
        return RESERVED.stream()
                .filter(owner -> domain.equals(owner) || domain.endsWith("." + owner))
                .map(owner -> "keys of " + owner + " are reserved")
                .findFirst();
    }
}
