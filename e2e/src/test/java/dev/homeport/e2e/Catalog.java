package dev.homeport.e2e;

import dev.homeport.e2e.stack.Registry;
import dev.homeport.e2e.stack.Stack;
import java.util.Map;
import java.util.TreeMap;

/** What components are made of here: a chart that shows its values, and an artifact with an overlay for each tier. */
final class Catalog {
    /** Charts and artifacts with these versions are in the registry. */
    static final String OLD = "1.0.0";

    static final String NEW = "1.1.0";

    /** A chart whose template Kubernetes refuses. */
    static final String BROKEN = "1.2.0";

    private static final String SHOW = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: {{ .Release.Name }}-shown
              namespace: {{ .Release.Namespace }}
              labels: {shows: values}
            data:
              version: {{ .Chart.Version | quote }}
              values: {{ .Values | toJson | quote }}
            """;

    private static final String REFUSED = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "NOT A NAME", namespace: {{ .Release.Namespace }}}
            """;

    private static boolean pushed;

    private Catalog() {}

    /** Where the chart is. */
    static synchronized String chart() {
        push();
        return Stack.registry().url("charts/web");
    }

    /** Where the artifact is; {@code apps/settings} in it has an overlay for each tier. */
    static synchronized String artifact() {
        push();
        return Stack.registry().url("platform/settings");
    }

    private static void push() {
        if (pushed) {
            return;
        }
        Registry registry = Stack.registry();
        registry.chart("charts/web", OLD, Map.of("templates/show.yaml", SHOW, "values.yaml", "replicas: 1\n"));
        registry.chart("charts/web", NEW, Map.of("templates/show.yaml", SHOW, "values.yaml", "replicas: 1\n"));
        registry.chart("charts/web", BROKEN, Map.of("templates/show.yaml", REFUSED));
        for (String version : new String[] {OLD, NEW}) {
            registry.artifact("platform/settings", version, overlays(version));
        }
        pushed = true;
    }

    private static Map<String, String> overlays(String version) {
        Map<String, String> files = new TreeMap<>();
        files.put("apps/settings/base/settings.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings}
                data:
                  version: "%s"
                  replicas: "1"
                  greeting: "${greeting:=none}"
                """.formatted(version));
        files.put("apps/settings/base/kustomization.yaml", """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources: [settings.yaml]
                """);
        overlay(files, "dev", "{replicas: \"1\", persistence: \"false\"}");
        overlay(files, "uat", "{replicas: \"2\", persistence: \"true\", domain: staging.example.com}");
        overlay(
                files,
                "prod",
                "{replicas: \"3\", persistence: \"true\", domain: example.com, issuer: letsencrypt-production}");
        return files;
    }

    private static void overlay(Map<String, String> files, String tier, String data) {
        files.put("apps/settings/" + tier + "/kustomization.yaml", """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources: [../base]
                patches:
                  - patch: |
                      apiVersion: v1
                      kind: ConfigMap
                      metadata: {name: settings}
                      data: %s
                """.formatted(data));
    }
}
