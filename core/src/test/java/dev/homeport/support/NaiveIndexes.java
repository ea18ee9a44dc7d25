package dev.homeport.support;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.snapshot.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a snapshot's indexes say, and what they should say, found by reading every document. */
public final class NaiveIndexes {
    private static final Map<String, String> LISTS = Map.of(
            "platform_components", "platform-components", "namespaces", "namespaces", "rolebindings", "rolebindings");

    private NaiveIndexes() {}

    /** As the snapshot has them: {@code index key} to the members. */
    public static SortedMap<String, SortedSet<String>> read(Snapshot snapshot) {
        SortedMap<String, SortedSet<String>> all = new TreeMap<>();
        snapshot.clusterKeysFrom("").forEach(entry -> {
            SortedSet<String> members = members(all, "clusters with " + entry.getKey());
            snapshot.clustersWith(entry.getKey())
                    .forEach(slot -> members.add(snapshot.clusterInSlot(slot).id()));
        });
        compute(snapshot).keySet().forEach(key -> {
            if (key.startsWith("users of ")) {
                snapshot.users(key.substring(9))
                        .forEach(user -> members(all, key).add(user.toString()));
            }
            if (key.startsWith("dns ")) {
                snapshot.clusterByDns(key.substring(4))
                        .ifPresent(cluster -> members(all, key).add(cluster.id()));
            }
        });
        List<String> order = new ArrayList<>();
        snapshot.expiries().forEach(entry -> {
            order.add(entry.getKey());
            members(all, "expiries").add(entry.getKey().substring(0, 20) + " " + entry.getValue());
        });
        if (!order.equals(order.stream().sorted().toList())) {
            throw new AssertionError("expiries are not in order: " + order);
        }
        for (Document cluster : snapshot.all(Types.CLUSTER).values()) {
            Integer slot = snapshot.slotOf(cluster.id());
            if (slot == null || !snapshot.clusterInSlot(slot).key().equals(cluster.key())) {
                throw new AssertionError("the slot of " + cluster.key() + " is " + slot);
            }
        }
        return all;
    }

    public static SortedMap<String, SortedSet<String>> compute(Snapshot snapshot) {
        SortedMap<String, SortedSet<String>> all = new TreeMap<>();
        for (TypeDefinition type : snapshot.types().all()) {
            for (Document document : snapshot.all(type.name()).values()) {
                document(document, all);
            }
        }
        return all;
    }

    private static void document(Document document, SortedMap<String, SortedSet<String>> all) {
        ObjectNode body = document.tree();
        DocumentKey key = document.key();
        SortedSet<String> references = new TreeSet<>();
        SortedSet<Instant> times = new TreeSet<>();
        switch (document.type()) {
            case Types.CLUSTER -> {
                field(body, "environment", "environments/", references);
                field(body, "workspace", "workspaces/", references);
                field(body, "template", "cluster-templates/", references);
                layer(body, references, times);
                body.path("labels")
                        .forEachEntry((name, value) -> references.add("label/" + name + "=" + value.stringValue()));
                references.forEach(
                        reference -> members(all, "clusters with " + reference).add(key.id()));
                members(all, "dns " + body.get("cluster_dns").stringValue()).add(key.id());
                time(body, times);
                for (JsonNode alias : body.path("dns_aliases")) {
                    members(all, "dns " + alias.get("dns").stringValue()).add(key.id());
                    time(alias, times);
                }
                references.clear();
            }
            case Types.ENVIRONMENT, Types.WORKSPACE, Types.CLUSTER_TEMPLATE -> {
                layer(body, references, times);
                body.path("by_environment").forEachEntry((environment, layer) -> {
                    references.add("environments/" + environment);
                    layer(layer, references, times);
                });
            }
            case Types.FREEZE -> {
                time(body, times);
                field(body.get("scope"), "environment", "environments/", references);
                field(body.get("scope"), "workspace", "workspaces/", references);
                field(body.get("scope"), "cluster", "clusters/", references);
            }
            case Types.CLUSTER_LIFE -> {
                if (body.has("leave_at")) {
                    times.add(Instant.parse(body.get("leave_at").stringValue()));
                }
                time(body.path("paused"), times);
                if (body.path("releasing").booleanValue(false)) {
                    times.add(Instant.EPOCH); // looked at by the loop until the cluster has followed
                }
            }
            default -> {}
        }
        references.forEach(reference -> members(all, "users of " + reference).add(key.toString()));
        if (!times.isEmpty()) {
            long micros = times.first().toEpochMilli() * 1000;
            members(all, "expiries").add("%020d".formatted(micros) + " " + key);
        }
    }

    private static void layer(JsonNode layer, SortedSet<String> references, SortedSet<Instant> times) {
        LISTS.forEach((field, plural) -> list(layer.path(field), plural, references, times));
        layer.path("refs").forEachEntry((plural, list) -> list(list, plural, references, times));
        for (String field : List.of("patches", "patches_removed")) {
            layer.path(field).propertyNames().forEach(component -> references.add("platform-components/" + component));
        }
    }

    private static void list(JsonNode list, String plural, SortedSet<String> references, SortedSet<Instant> times) {
        for (JsonNode reference : list) {
            references.add(plural + "/" + reference.get("id").stringValue());
            time(reference, times);
        }
    }

    private static void field(JsonNode body, String field, String prefix, SortedSet<String> references) {
        if (body.path(field).isString()) {
            references.add(prefix + body.get(field).stringValue());
        }
    }

    private static void time(JsonNode body, SortedSet<Instant> times) {
        if (body.path("expires_at").isString()) {
            times.add(Instant.parse(body.get("expires_at").stringValue()));
        }
    }

    private static SortedSet<String> members(SortedMap<String, SortedSet<String>> all, String key) {
        return all.computeIfAbsent(key, name -> new TreeSet<>());
    }
}
