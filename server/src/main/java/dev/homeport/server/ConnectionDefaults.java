package dev.homeport.server;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.http.ConnectionLimits;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;

/** How many connections there may be, as the settings say or as the limits of the process allow. */
final class ConnectionDefaults {
    /** Connections of the admin plane are few; they have a part of their own so that no flood of polls takes it. */
    private static final int ADMIN_SHARE = 4;

    private static final int ADDRESS_SHARE = 2;
    private static final int MEMORY_SHARE = 4;

    /** Roughly what a connection with TLS takes, within and outside of the heap. */
    private static final int BYTES_PER_CONNECTION = 32 * 1024;

    /** For the store, its files, and what opens them besides. */
    private static final int RESERVE_SHARE = 4;

    private static final int LEAST_RESERVE = 128;
    private static final int MOST_RESERVE = 1024;
    private static final int LEAST_CONNECTIONS = 64;

    private ConnectionDefaults() {}

    static int connections(ServerSettings settings) {
        return settings.limits()
                .connections()
                .orElseGet(() -> connections(openFiles(), Runtime.getRuntime().maxMemory()));
    }

    static int connections(long openFiles, long heap) {
        long reserve = Math.clamp(openFiles / RESERVE_SHARE, LEAST_RESERVE, MOST_RESERVE);
        long fitting = Math.min(openFiles - reserve, heap / BYTES_PER_CONNECTION);
        return Math.clamp(fitting, LEAST_CONNECTIONS, Integer.MAX_VALUE);
    }

    static int ofAdmin(ServerSettings settings) {
        int all = connections(settings);
        return settings.pollListen().isEmpty() ? all : Math.max(1, all / ADMIN_SHARE);
    }

    static int ofPolls(ServerSettings settings) {
        int all = connections(settings);
        return settings.adminListen().isEmpty() ? all : all - Math.max(1, all / ADMIN_SHARE);
    }

    static ConnectionLimits limits(ServerSettings settings, InstantSource clock) {
        ServerSettings.Limits limits = settings.limits();
        return new ConnectionLimits(
                limits.connectionsPerAddress().orElseGet(() -> Math.max(1, connections(settings) / ADDRESS_SHARE)),
                limits.requestBytes().orElseGet(() -> Runtime.getRuntime().maxMemory() / MEMORY_SHARE),
                settings.proxies().trusted(),
                clock);
    }

    private static long openFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Integer.MAX_VALUE;
    }
}
