package dev.homeport.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Everything that can be set. The name is the key in the file; the flag and the variable follow from it. */
public enum Setting {
    MODE("crud", "crud: both planes; read-only: the poll plane alone, which writes nothing", "API_MODE"),
    DATA("homeport-data", "folder of the embedded store, the master key and the high-water mark"),
    DATABASE_URL(
            "",
            "postgresql://user:password@host:port/database, or sqlite:FOLDER; empty: the embedded store in the data folder",
            "DATABASE_URL"),
    STORE("", "memory: a throw-away embedded store; empty: as the database URL says", "STORE_BACKEND"),
    INIT("false", "create a store if it is missing"),
    ADMIN_LISTEN("127.0.0.1:8080", "address of the admin plane, which answers polls as well"),
    POLL_LISTEN("127.0.0.1:8081", "address of the poll plane; empty: none of its own"),
    POLL_URL("", "URL of the poll plane for clusters, used in bootstrap manifests"),
    POLL_CA("", "PEM file with the authority of that address's certificate; empty: one that every system knows"),
    LISTEN_ADDR(
            "", "one address for everything, as flux-resourceset has it; plain HTTP is then allowed", "LISTEN_ADDR"),
    PLAIN_HTTP("false", "allow HTTP without TLS on addresses other than loopback"),
    TLS_CERTIFICATE("", "PEM file with the certificate chain; read again when it changes"),
    TLS_KEY("", "PEM file with the private key, not encrypted"),
    TLS_CLIENT_CA("", "PEM file with the authority for clusters' certificates, which then serve instead of tokens"),
    TLS_CLIENT_URI(
            "spiffe://homeport/cluster/{id}",
            "URI subject alternative name of a cluster's certificate; it must have exactly one"),
    TRUSTED_PROXIES(
            "", "addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-For and PROXY header are believed"),
    PROXY_PROTOCOL(
            "none",
            "none, poll, admin or both: planes on which every connection begins with a PROXY header, version 1 or 2"),
    FRESHNESS_MS("3000", "polls get 503 when the log's head was not confirmed for this long"),
    LIVENESS_SECONDS(
            "120", "/livez answers 503 when a background loop made no progress for this many seconds, from 1 to 86400"),
    POLL_RATE("20", "maximum polls per second of one cluster's token, in bursts of five times as many; 0: unlimited"),
    ANSWER_CACHE_MIB("256", "maximum size of the cache of rendered answers; a quarter of the heap at most"),
    MAX_CONNECTIONS(
            "",
            "open connections of both planes together, of which the admin plane has a quarter; empty: as many as the"
                    + " limits of open files and of memory allow"),
    MAX_CONNECTIONS_PER_ADDRESS(
            "",
            "open connections from one address, or one IPv6 /64; trusted proxies are exempt; empty: half of"
                    + " max_connections"),
    MAX_STREAMS("2000", "open event streams of this server, from 1 to 100000; one caller has 20 at most"),
    REQUEST_MEMORY_MIB(
            "",
            "memory for requests that are being received, and as much for answers that are being sent; empty: a quarter"
                    + " of the heap"),
    ADMIN_TOKEN("", "the first admin token, instead of a generated one", "HOMEPORT_ADMIN_TOKEN"),
    ADMIN_TOKEN_FILE("", "a file with the first admin token", "HOMEPORT_ADMIN_TOKEN_FILE"),
    AUTH_TOKEN("", "flux-resourceset's fleet-wide read token; a debt, see the start-up warning", "AUTH_TOKEN"),
    CRUD_AUTH_TOKEN("", "flux-resourceset's write token; a debt, see the start-up warning", "CRUD_AUTH_TOKEN"),
    OIDC_ISSUER("", "the OpenID Connect provider that people sign in at, as its tokens name it; empty: tokens alone"),
    OIDC_CLIENT_ID("", "Homeport's client id at that provider"),
    OIDC_CLIENT_SECRET_FILE("", "a file with the client's secret; empty: a public client"),
    OIDC_CLI_CLIENT_ID("", "client id of the command line at that provider; empty: the same, if that has no secret"),
    OIDC_AUDIENCE("", "required audience of the provider's tokens when used as bearer tokens"),
    OIDC_GROUP_CLAIM("groups", "the claim that lists a person's groups"),
    OIDC_NAME_CLAIM("sub", "claim that names a person; users must not be able to set it themselves"),
    OIDC_SCOPES("openid profile", "requested scopes"),
    OIDC_CA("", "PEM file with the authority of the provider's certificate; empty: one that every system knows"),
    ADMIN_URL("", "URL of the admin plane for browser sign-in; empty: no browser sign-in"),
    SESSION_MINUTES("480", "lifetime of a browser sign-in"),
    TRUSTED_ISSUERS("", "YAML file with the CI systems whose job tokens are accepted"),
    SEED_FILE(
            "", "JSON to import into a throw-away store, or into one that init: true makes at this start", "SEED_FILE"),
    OBSERVED_DAYS("90", "heartbeat history retention in days"),
    AUDIT_FILE("", "a file to which commits and denied attempts are forwarded as signed JSON Lines; empty: none"),
    AUDIT_URL("", "an https address to which the same lines are posted; empty: none"),
    AUDIT_CA("", "PEM file with the authority of that address's certificate; empty: one that every system knows"),
    AUDIT_TOKEN_FILE("", "a file with the bearer token for that address"),
    AUDIT_READS("false", "forward reads of the admin plane as well"),
    MASTER_KEY_PASSPHRASE_FILE("", "file with the passphrase of a master key that is encrypted with one"),
    MASTER_KEY_COMMAND("", "program that decrypts the master key, such as a KMS plugin, with arguments"),
    ADMIN_CLIENT_CA("", "PEM file with the authority for client certificates on the admin plane"),
    ADMIN_CLIENT_AUTH(
            "required",
            "required or optional: whether connections to the admin plane without a certificate are refused, with admin_client_ca"),
    LOG_FORMAT("text", "text or json"),
    TRACES_ENDPOINT("", "OTLP over HTTP endpoint for traces, such as http://127.0.0.1:4318/v1/traces; empty: none"),
    TRACES_SHARE("1", "sampling ratio of traces that start here, from 0 to 1");

    private final String standard;
    private final String description;
    private final Optional<String> otherVariable;

    Setting(String standard, String description) {
        this(standard, description, Optional.empty());
    }

    Setting(String standard, String description, String otherVariable) {
        this(standard, description, Optional.of(otherVariable));
    }

    Setting(String standard, String description, Optional<String> otherVariable) {
        this.standard = standard;
        this.description = description;
        this.otherVariable = otherVariable;
    }

    public String standard() {
        return standard;
    }

    public String description() {
        return description;
    }

    /** The key in the file. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String flag() {
        return "--" + key().replace('_', '-');
    }

    /** Environment variables that set it, the first one found wins. */
    public List<String> variables() {
        String own = "HOMEPORT_" + name();
        return otherVariable
                .filter(other -> !other.equals(own))
                .map(other -> List.of(own, other))
                .orElse(List.of(own));
    }

    /** Whether a variable of this name is, or may become, a setting: what starts a server of its own removes these. */
    public static boolean isVariable(String name) {
        return name.startsWith("HOMEPORT_")
                || Arrays.stream(values())
                        .anyMatch(setting -> setting.variables().contains(name));
    }

    /** Never shown, not even by --print-config. */
    public boolean isSecret() {
        return this == ADMIN_TOKEN || this == AUTH_TOKEN || this == CRUD_AUTH_TOKEN || this == DATABASE_URL;
    }
}
