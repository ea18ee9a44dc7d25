package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The manifests of one cluster as a chart, and as a Terraform module around it. Helm takes the files as they are: what looks like
 * a template in them is Flux Operator's. Neither removes what it has brought, because deleting a set deletes all that it made.
 */
final class ManifestChart {
    private static final String KEPT = "helm.sh/resource-policy";

    private ManifestChart() {}

    static List<ManifestFile> chart(ClusterIdentity identity, List<ObjectNode> objects) {
        ObjectNode chart = StrictJson.object()
                .put("apiVersion", "v2")
                .put("name", "homeport")
                .put("description", "Cluster " + identity.id() + " phones home")
                .put("version", "1.0.0");
        List<ObjectNode> kept = objects.stream()
                .filter(object -> !isNamespace(object))
                .map(object -> Manifest.annotate(object.deepCopy(), KEPT, "keep"))
                .toList();
        return List.of(
                new ManifestFile("Chart.yaml", ManifestText.of(chart)),
                included("homeport.yaml"),
                included("secrets.yaml"),
                new ManifestFile("files/homeport.yaml", ManifestText.of(ManifestFiles.withoutSecrets(kept))),
                new ManifestFile("files/secrets.yaml", ManifestText.of(ManifestFiles.secrets(kept))));
    }

    static List<ManifestFile> module(ClusterIdentity identity, Choices choices, List<ObjectNode> objects) {
        String main = """
                # Installs what cluster %s phones home with. Configure the provider "helm" for that cluster.
                terraform {
                  required_providers {
                    helm = {
                      source  = "hashicorp/helm"
                      version = ">= 2.12"
                    }
                  }
                }

                resource "helm_release" "homeport" {
                  name             = "homeport"
                  namespace        = "%s"
                  create_namespace = true
                  chart            = "${path.module}/chart"

                  lifecycle {
                    prevent_destroy = true
                  }
                }
                """.formatted(identity.id(), choices.namespace());
        return Stream.concat(
                        Stream.of(new ManifestFile("main.tf", main)),
                        chart(identity, objects).stream()
                                .map(file -> new ManifestFile("chart/" + file.path(), file.content())))
                .toList();
    }

    private static ManifestFile included(String name) {
        return new ManifestFile("templates/" + name, "{{ .Files.Get \"files/" + name + "\" }}\n");
    }

    /** Helm refuses to install over a namespace that it did not create, such as the one of Flux. */
    private static boolean isNamespace(ObjectNode object) {
        return object.path("kind").stringValue("").equals("Namespace");
    }
}
