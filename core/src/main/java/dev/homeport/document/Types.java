package dev.homeport.document;

/** Names of the built-in types. */
public final class Types {
    public static final String CLUSTER = "cluster";
    public static final String PLATFORM_COMPONENT = "platform_component";
    public static final String NAMESPACE = "namespace";
    public static final String ROLEBINDING = "rolebinding";
    public static final String WORKSPACE = "workspace";
    public static final String CLUSTER_TEMPLATE = "cluster_template";
    public static final String ENVIRONMENT = "environment";
    public static final String TYPE = "type";
    public static final String SETTINGS = "settings";
    public static final String FREEZE = "freeze";
    public static final String TOKEN = "token";

    /** A question that clusters answer about one of their objects. */
    public static final String PROBE = "probe";

    public static final String ACCESS_ROLE = "access_role";
    public static final String ACCESS_GRANT = "access_grant";

    /** What Homeport itself records about a cluster: its phase, its pin and the proofs for empty answers. */
    public static final String CLUSTER_LIFE = "cluster_life";

    /** Sign-ins of one subject that were ended before their time. */
    public static final String SIGN_OUT = "sign_out";

    /** What Homeport keeps of names that clusters gave up: see {@code ReservedName}. */
    public static final String RESERVED_NAME = "reserved_name";

    /** Which observed store has seen all polls, and since when. */
    public static final String OBSERVER = "observer";

    /** What was blanked in the log. */
    public static final String REDACTION = "redaction";

    /** The plural of what clusters are asked about themselves; no document has that type. */
    public static final String WITNESSES = "witnesses";

    private Types() {}
}
