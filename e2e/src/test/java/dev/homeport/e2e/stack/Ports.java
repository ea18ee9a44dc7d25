package dev.homeport.e2e.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Free ports, from below the range that the kernel takes for outgoing connections, so that they stay free for a moment. */
public final class Ports {
    private static final Random RANDOM = new Random();
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    public static synchronized int free() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = RANDOM.nextInt(12_000, 32_000);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
