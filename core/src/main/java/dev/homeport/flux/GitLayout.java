package dev.homeport.flux;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fleet as files in Git: {@code clusters/base} is what all clusters have in common, {@code
 * clusters/<environment>/_common} adds what those of an environment have, {@code clusters/<environment>/<cluster>} the rest.
 * Building a cluster's folder with Kustomize gives exactly the objects that it would have from its answers.
 */
public final class GitLayout {
    private static final String BASE = "clusters/base";
    private static final String COMMON = "_common";

    private final Source source;
    private final Choices choices;
    private final List<ManifestFile> files = new ArrayList<>();

    private GitLayout(Source source, Choices choices) {
        this.source = source;
        this.choices = choices;
    }

    /** Which branch a cluster follows. */
    public enum Branches {
        /** All of them the same one, each its own path. */
        ONE,
        /** Each environment one of its own. */
        BY_ENVIRONMENT
    }

    /**
     * Where the files will be.
     *
     * @param branch the branch that all follow, if there is one for all
     */
    public record Source(String url, String branch, Branches branches) {
        String branchOf(String environment) {
            return branches == Branches.ONE ? branch : "env/" + environment;
        }

        /** Where the files of a branch lie: a branch of its own is a folder of its own, called like it. */
        String rootOf(String environment) {
            return branches == Branches.ONE ? "" : branchOf(environment) + "/";
        }
    }

    private record Member(ClusterBlock cluster, Map<ObjectKey, ObjectNode> objects) {}

    /** @param clusters in the order of their ids */
    public static List<ManifestFile> of(FleetView view, Iterable<Document> clusters, Source source, Choices choices) {
        GitLayout layout = new GitLayout(source, choices);
        List<Member> members = new ArrayList<>();
        ClusterObjects.Home home = ClusterObjects.Home.of(view, choices);
        for (Document document : clusters) {
            WorkBudget.current().check();
            if (document.fault().isPresent()) {
                throw ProblemException.refused(
                        ErrorCode.CONFLICT,
                        document.key() + " cannot be read",
                        "repair it first: a layout without it would take it away",
                        List.of(document.key().toString()));
            }
            ClusterLife life = ClusterLife.of(view.document(Types.CLUSTER_LIFE, document.id()));
            if (life.phase() == ClusterLife.Phase.ACTIVE) {
                ClusterBlock cluster = ClusterBlock.of(Cluster.of(document));
                Map<ObjectKey, ObjectNode> objects = ClusterObjects.of(view, document, cluster, home);
                ServiceAccounts.ofItems(choices, home.rolebinding().isPresent())
                        .forEach(object -> objects.put(ObjectKey.of(object), object));
                members.add(new Member(cluster, objects));
            }
        }
        layout.write(members);
        return layout.files;
    }

    private void write(List<Member> members) {
        if (members.isEmpty()) {
            return;
        }
        Map<ObjectKey, ObjectNode> base = Overlay.common(objects(members));
        if (source.branches() == Branches.ONE) {
            overlay(BASE, List.of(), Map.of(), base);
        }
        Map<String, List<Member>> environments = new TreeMap<>();
        members.forEach(member -> environments
                .computeIfAbsent(member.cluster().environment(), name -> new ArrayList<>())
                .add(member));
        environments.forEach((environment, inside) -> {
            if (environment.equals("base")) {
                throw ProblemException.invalid(
                        "/environment", "an environment called base would lie over clusters/base", "rename it");
            }
            String root = source.rootOf(environment);
            if (source.branches() == Branches.BY_ENVIRONMENT) {
                overlay(root + BASE, List.of(), Map.of(), base);
            }
            Map<ObjectKey, ObjectNode> common = Overlay.common(objects(inside));
            overlay(root + "clusters/" + environment + "/" + COMMON, List.of("../../base"), base, common);
            for (Member member : inside) {
                String id = member.cluster().id();
                String folder = "clusters/" + environment + "/" + id;
                overlay(root + folder, List.of("../" + COMMON), common, member.objects());
                files.add(new ManifestFile(
                        root + "flux/" + id + ".yaml", ManifestText.of(sync(member.cluster(), folder))));
            }
        });
    }

    private static Collection<Map<ObjectKey, ObjectNode>> objects(List<Member> members) {
        return members.stream().map(Member::objects).toList();
    }

    /** A folder that adds what the one below it lacks: whole objects in files, fields in patches. */
    private void overlay(
            String folder, List<String> below, Map<ObjectKey, ObjectNode> from, Map<ObjectKey, ObjectNode> to) {
        ObjectNode kustomization = StrictJson.object()
                .put("apiVersion", "kustomize.config.k8s.io/v1beta1")
                .put("kind", "Kustomization");
        ArrayNode resources = kustomization.putArray("resources");
        below.forEach(resources::add);
        ArrayNode patches = StrictJson.object().putArray("patches");
        to.forEach((key, object) -> {
            ObjectNode known = from.get(key);
            if (known == null) {
                String file = fileName(key);
                resources.add(file);
                files.add(new ManifestFile(folder + "/" + file, ManifestText.of(object)));
            } else {
                List<ObjectNode> additions = Overlay.additions(known, object);
                if (!additions.isEmpty()) {
                    patches.add(patch(key, additions));
                }
            }
        });
        if (!patches.isEmpty()) {
            kustomization.set("patches", patches);
        }
        files.add(new ManifestFile(folder + "/kustomization.yaml", ManifestText.of(kustomization)));
    }

    private static ObjectNode patch(ObjectKey key, List<ObjectNode> additions) {
        ObjectNode patch = StrictJson.object();
        ObjectNode target = patch.putObject("target");
        int slash = key.apiVersion().indexOf('/');
        if (slash > 0) {
            target.put("group", key.apiVersion().substring(0, slash));
        }
        target.put("version", key.apiVersion().substring(slash + 1)).put("kind", key.kind());
        if (!key.namespace().isEmpty()) {
            target.put("namespace", key.namespace());
        }
        target.put("name", key.name());
        patch.put("patch", ManifestText.lines(additions));
        return patch;
    }

    private static String fileName(ObjectKey key) {
        String namespace = key.namespace().isEmpty() ? "" : key.namespace() + ".";
        return key.kind().toLowerCase(Locale.ROOT) + "." + namespace + key.name() + ".yaml";
    }

    /** What is applied once on the cluster, so that Flux follows the folder from then on. */
    private List<ObjectNode> sync(ClusterBlock cluster, String folder) {
        ObjectNode repository =
                Manifest.of("source.toolkit.fluxcd.io/v1", "GitRepository", "homeport", choices.namespace());
        repository
                .putObject("spec")
                .put("interval", choices.pollInterval())
                .put("url", source.url())
                .putObject("ref")
                .put("branch", source.branchOf(cluster.environment()));
        ObjectNode kustomization =
                Manifest.of("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "homeport", choices.namespace());
        ObjectNode spec = kustomization
                .putObject("spec")
                .put("interval", "10m")
                .put("prune", true)
                .put("path", "./" + folder);
        spec.putObject("sourceRef").put("kind", "GitRepository").put("name", "homeport");
        spec.put("serviceAccountName", ServiceAccounts.PLATFORM);
        List<ObjectNode> all = new ArrayList<>(ServiceAccounts.ofPlatform(choices));
        all.add(repository);
        all.add(kustomization);
        return all;
    }
}
