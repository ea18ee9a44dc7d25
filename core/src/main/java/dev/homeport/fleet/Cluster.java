package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.json.PackedCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cluster's own document, read. There may be a million of them, so they are read when needed and not kept. */
public final class Cluster {
    /** Clusters whose document does not say otherwise were given manifests by Homeport, which set this limit. */
    public static final int DEFAULT_INPUT_LIMIT = 10_000;

    private final Document document;
    private final Layer layer;
    private String name = "";
    private String dns = "";
    private String environment = "";
    private @Nullable String workspace;
    private @Nullable String template;
    private @Nullable String owner;
    private @Nullable Boolean protectedFlag;
    private @Nullable Instant expiresAt;
    private String pollInterval = "";
    private String kubernetesVersion = "";
    private int inputLimit = DEFAULT_INPUT_LIMIT;
    private List<DnsAlias> dnsAliases = List.of();

    /** A former name that still leads here, until it expires. */
    public record DnsAlias(String dns, @Nullable Instant expiresAt) {}

    private Cluster(Document document, @Nullable String plural) {
        this.document = document;
        PackedCursor cursor = document.cursor();
        LayerReader reader = new LayerReader(plural);
        for (String field : cursor.object()) {
            switch (field) {
                case "cluster_name" -> name = cursor.text();
                case "cluster_dns" -> dns = cursor.text();
                case "environment" -> environment = cursor.text();
                case "workspace" -> workspace = cursor.text();
                case "template" -> template = cursor.text();
                case "owner" -> owner = cursor.text();
                case "protected" -> protectedFlag = cursor.bool();
                case "expires_at" -> expiresAt = Instant.parse(cursor.text());
                case "poll_interval" -> pollInterval = cursor.text();
                case "kubernetes_version" -> kubernetesVersion = cursor.text();
                case "input_limit" -> inputLimit = (int) cursor.integer();
                case "dns_aliases" -> dnsAliases = aliases(cursor);
                default -> {
                    if (!reader.read(field, cursor)) {
                        cursor.skip();
                    }
                }
            }
        }
        this.layer = reader.done();
    }

    public static Cluster of(Document document) {
        return new Cluster(document, null);
    }

    /** Reads no references but those of one type, which is all that a poll needs. */
    static Cluster forType(Document document, TypeDefinition type) {
        return new Cluster(document, type.plural());
    }

    private static List<DnsAlias> aliases(PackedCursor cursor) {
        List<DnsAlias> all = new ArrayList<>();
        for (int left = cursor.array(); left > 0; left--) {
            String dns = "";
            Instant expiresAt = null;
            for (String field : cursor.object()) {
                switch (field) {
                    case "dns" -> dns = cursor.text();
                    case "expires_at" -> expiresAt = Instant.parse(cursor.text());
                    default -> cursor.skip();
                }
            }
            all.add(new DnsAlias(dns, expiresAt));
        }
        return all;
    }

    public Document document() {
        return document;
    }

    public String id() {
        return document.id();
    }

    public String name() {
        return name;
    }

    public String dns() {
        return dns;
    }

    public String environment() {
        return environment;
    }

    public @Nullable String workspace() {
        return workspace;
    }

    public @Nullable String template() {
        return template;
    }

    public @Nullable String owner() {
        return owner;
    }

    /** What the document says; without a word, the last tier is protected and the others are not. */
    public @Nullable Boolean protectedFlag() {
        return protectedFlag;
    }

    public @Nullable Instant expiresAt() {
        return expiresAt;
    }

    /** As it was written, such as {@code 5m}; empty if the document sets none. */
    public String pollInterval() {
        return pollInterval;
    }

    /** The version of Kubernetes that its document declares; empty if the document sets none. */
    public String kubernetesVersion() {
        return kubernetesVersion;
    }

    public int inputLimit() {
        return inputLimit;
    }

    /** The number of the key that it signs its events with, from 1. Each event asks, so nothing else is read. */
    public static long eventKey(Document document) {
        PackedCursor cursor = document.cursor();
        for (String field : cursor.object()) {
            if (field.equals("event_key")) {
                return cursor.integer();
            }
            cursor.skip();
        }
        return 1;
    }

    /** Read when asked for: the resolver hardly ever does. */
    public Map<String, String> labels() {
        PackedCursor cursor = document.cursor();
        for (String field : cursor.object()) {
            if (field.equals("labels")) {
                Map<String, String> all = new HashMap<>();
                for (String key : cursor.object()) {
                    all.put(key, cursor.text());
                }
                return all;
            }
            cursor.skip();
        }
        return Map.of();
    }

    public List<DnsAlias> dnsAliases() {
        return dnsAliases;
    }

    public Layer layer() {
        return layer;
    }
}
