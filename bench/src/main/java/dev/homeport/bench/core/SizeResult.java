package dev.homeport.bench.core;

import java.util.LinkedHashMap;
import java.util.Map;

/** What was found for one store and size. */
record SizeResult(StoreKind store, int size, Map<String, Object> figures) {
    double number(String name) {
        Object value = figures.get(name);
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("store", store.toString());
        all.put("size", size);
        all.putAll(figures);
        return all;
    }
}
