package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The manifests of one cluster as files. */
public final class ManifestFiles {
    private ManifestFiles() {}

    public static List<ManifestFile> of(
            Format format, ClusterIdentity identity, Choices choices, List<ObjectNode> objects) {
        return switch (format) {
            case YAML -> List.of(new ManifestFile("homeport.yaml", ManifestText.of(objects)));
            case KUSTOMIZE -> folder(objects);
            case HELM -> ManifestChart.chart(identity, objects);
            case TERRAFORM -> ManifestChart.module(identity, choices, objects);
            case CLUSTERAPI -> List.of(new ManifestFile("cluster-resource-set.yaml", clusterApi(identity, objects)));
            case SECRETS -> List.of(new ManifestFile("secrets.yaml", ManifestText.of(secrets(objects))));
        };
    }

    private static List<ManifestFile> folder(List<ObjectNode> objects) {
        ObjectNode kustomization = StrictJson.object()
                .put("apiVersion", "kustomize.config.k8s.io/v1beta1")
                .put("kind", "Kustomization");
        ArrayNode resources =
                kustomization.putArray("resources").add("homeport.yaml").add("secrets.yaml");
        assert resources.size() == 2;
        return List.of(
                new ManifestFile("kustomization.yaml", ManifestText.of(kustomization)),
                new ManifestFile("homeport.yaml", ManifestText.of(withoutSecrets(objects))),
                new ManifestFile("secrets.yaml", ManifestText.of(secrets(objects))));
    }

    /** Secrets travel in a Secret, everything else in a ConfigMap: who may read the one need not read the other. */
    private static String clusterApi(ClusterIdentity identity, List<ObjectNode> objects) {
        String name = "homeport-" + identity.id();
        ObjectNode map = Manifest.of("v1", "ConfigMap", name);
        map.set("data", Manifest.texts(Map.of("homeport.yaml", ManifestText.of(withoutSecrets(objects)))));
        ObjectNode secret = Manifest.of("v1", "Secret", name);
        secret.put("type", "addons.cluster.x-k8s.io/resource-set");
        secret.set("stringData", Manifest.texts(Map.of("secrets.yaml", ManifestText.of(secrets(objects)))));
        ObjectNode set = Manifest.of("addons.cluster.x-k8s.io/v1beta2", "ClusterResourceSet", name);
        ObjectNode spec = set.putObject("spec").put("strategy", "Reconcile");
        spec.putObject("clusterSelector").putObject("matchLabels").put("homeport.dev/cluster", identity.id());
        ArrayNode resources = spec.putArray("resources");
        resources.addObject().put("kind", "ConfigMap").put("name", name);
        resources.addObject().put("kind", "Secret").put("name", name);
        return ManifestText.of(new ArrayList<>(List.of(map, secret, set)));
    }

    static List<ObjectNode> secrets(List<ObjectNode> objects) {
        return objects.stream().filter(ManifestFiles::isSecret).toList();
    }

    static List<ObjectNode> withoutSecrets(List<ObjectNode> objects) {
        return objects.stream().filter(one -> !isSecret(one)).toList();
    }

    private static boolean isSecret(ObjectNode object) {
        return object.path("kind").stringValue("").equals("Secret");
    }
}
