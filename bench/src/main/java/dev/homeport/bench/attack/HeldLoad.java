package dev.homeport.bench.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;

/** Keeps so many connections open, and opens another for each that the server ends. */
final class HeldLoad implements Load {
    private static final int MOST_NEW_A_SECOND = 800;
    private static final long SECOND = 1_000_000_000L;

    private final int connections;
    private final Attacker attacker;
    private final IntFunction<byte[]> beginning;
    private final AttackTarget target;
    private final boolean slow;
    private long opened;

    /** @param slow whether a byte follows every second */
    HeldLoad(int connections, Attacker attacker, IntFunction<byte[]> beginning, AttackTarget target, boolean slow) {
        this.connections = connections;
        this.attacker = attacker;
        this.beginning = beginning;
        this.target = target;
        this.slow = slow;
    }

    @Override
    public void run(long untilNanos) throws InterruptedException {
        List<SocketChannel> open = new ArrayList<>();
        try {
            while (System.nanoTime() < untilNanos) {
                long next = System.nanoTime() + SECOND;
                open.removeIf(channel -> !isOpen(channel));
                for (int i = 0; i < MOST_NEW_A_SECOND && open.size() < connections; i++) {
                    if (System.nanoTime() > untilNanos || !open(open)) {
                        break;
                    }
                }
                Thread.sleep(Math.max(0, Math.min(next, untilNanos) - System.nanoTime()) / 1_000_000);
            }
        } finally {
            for (Iterator<SocketChannel> all = open.iterator(); all.hasNext(); ) {
                close(all.next());
            }
        }
    }

    private boolean open(List<SocketChannel> open) {
        // Every third one goes to the admin plane.
        InetSocketAddress server = opened % 3 == 2 ? target.admin() : target.poll();
        SocketChannel channel = null;
        try {
            channel = attacker.channel(server);
            channel.write(ByteBuffer.wrap(beginning.apply((int) opened)));
            channel.configureBlocking(false);
            open.add(channel);
            opened++;
            return true;
        } catch (IOException e) {
            close(channel);
            return false;
        }
    }

    private boolean isOpen(SocketChannel channel) {
        try {
            if (channel.read(ByteBuffer.allocate(1024)) < 0) {
                close(channel);
                return false;
            }
            if (slow) {
                channel.write(ByteBuffer.wrap(new byte[] {'x'}));
            }
            return true;
        } catch (IOException e) {
            close(channel);
            return false;
        }
    }

    private static void close(@org.jspecify.annotations.Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    @Override
    public long count() {
        return opened;
    }
}
