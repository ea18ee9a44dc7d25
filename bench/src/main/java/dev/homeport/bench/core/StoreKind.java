package dev.homeport.bench.core;

import java.util.Locale;

/** Which database holds the fleet. */
enum StoreKind {
    SQLITE,
    POSTGRES;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
