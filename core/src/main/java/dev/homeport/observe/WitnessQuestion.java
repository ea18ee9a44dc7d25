package dev.homeport.observe;

import java.util.Optional;

/**
 * One object on a cluster, and what Homeport wants to know of it.
 *
 * @param id names the question on its cluster: lower-case letters, digits and {@code / . _ -}
 * @param component whose main object it is; its name on the cluster was chosen at bootstrap
 * @param name of an object that is not a component's, empty otherwise
 * @param namespace empty: the one that Flux lives in; {@link #CLUSTER_SCOPED}: none
 * @param probe the document that asks, for the form {@link Form#PROBE}
 */
public record WitnessQuestion(
        String id,
        String apiVersion,
        String kind,
        Optional<String> component,
        String name,
        String namespace,
        Form form,
        Optional<Probe> probe) {

    public static final String CLUSTER_SCOPED = "-";

    private static final String OPERATOR = "fluxcd.controlplane.io/v1";
    private static final String OF_TYPE = "homeport-";
    private static final String ID = "[a-z0-9][a-z0-9/._-]{0,199}";

    /** What is wanted of the object. */
    public enum Form {
        /** Its Ready condition and what it was made from, once it has come to rest. */
        READY,
        /** The same at any time, and whether its deletion was requested: for what should disappear and has a status. */
        LEAVING,
        /** Whether it exists, and whether its deletion was requested: for objects without conditions. */
        THERE,
        /** The versions in Flux Operator's own report: see {@link ClusterFacts}. */
        FACTS,
        /** What the expression of a {@link Probe} is. */
        PROBE;

        /** Whether it is about something that should disappear. */
        boolean isOfRemoval() {
            return this == LEAVING || this == THERE;
        }
    }

    private WitnessQuestion(
            String id,
            String apiVersion,
            String kind,
            Optional<String> component,
            String name,
            String namespace,
            Form form) {
        this(id, apiVersion, kind, component, name, namespace, form, Optional.empty());
    }

    public WitnessQuestion {
        if (!isId(id)) {
            throw new IllegalArgumentException("not an id of a question: " + id);
        }
    }

    static boolean isId(String text) {
        return text.matches(ID);
    }

    /** Whether a component runs. */
    public static WitnessQuestion component(String id, String kind) {
        return ofComponent(Report.component(id), id, kind, Form.READY);
    }

    /** Whether a component that is no longer asked for is still there. Its answers have the same id as before. */
    public static WitnessQuestion leavingComponent(String id, String kind) {
        return ofComponent(Report.component(id), id, kind, Form.LEAVING);
    }

    /** Which versions the cluster runs. Flux Operator writes this object every five minutes, in its own namespace. */
    public static WitnessQuestion facts() {
        return new WitnessQuestion(
                ClusterFacts.QUESTION, OPERATOR, ClusterFacts.KIND, Optional.empty(), "flux", "", Form.FACTS);
    }

    /** What people want to know of an object. */
    static WitnessQuestion probe(Probe probe) {
        return new WitnessQuestion(
                ProbeResult.QUESTION + probe.id(),
                probe.apiVersion(),
                probe.kind(),
                Optional.empty(),
                probe.name(),
                probe.namespace(),
                Form.PROBE,
                Optional.of(probe));
    }

    /** Whether the objects of a type were applied. */
    public static WitnessQuestion type(String plural) {
        return new WitnessQuestion(
                Report.type(plural), OPERATOR, "ResourceSet", Optional.empty(), OF_TYPE + plural, "", Form.READY);
    }

    /** Whether a set that failed is well again; found by the name in the failure. */
    static WitnessQuestion set(String name) {
        return new WitnessQuestion(setId(name), OPERATOR, "ResourceSet", Optional.empty(), name, "", Form.READY);
    }

    /** Of the question about the set of this name. The sets of types are always asked about. */
    static String setId(String name) {
        return name.startsWith(OF_TYPE) ? Report.type(name.substring(OF_TYPE.length())) : "set/" + name;
    }

    /**
     * Whether an object that should disappear is still there.
     *
     * @param namespace {@link #CLUSTER_SCOPED} for one without
     */
    public static WitnessQuestion there(String id, String apiVersion, String kind, String namespace, String name) {
        return new WitnessQuestion(id, apiVersion, kind, Optional.empty(), name, namespace, Form.THERE);
    }

    private static WitnessQuestion ofComponent(String id, String component, String kind, Form form) {
        String api = kind.equals("HelmRelease") ? "helm.toolkit.fluxcd.io/v2" : "kustomize.toolkit.fluxcd.io/v1";
        return new WitnessQuestion(id, api, kind, Optional.of(component), "", "", form);
    }
}
