package dev.homeport.bench.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Keeps so many connections open, and opens another for each that the server ends. */
final class HeldLoad implements Load {
    /** Little by little: a burst would measure how fast this machine opens connections. */
    private static final int NEW_AT_ONCE = 20;

    private static final long PAUSE_MILLIS = 50;
    private static final int PAUSES_PER_LOOK = 20;

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
            for (int turn = 0; System.nanoTime() < untilNanos; turn++) {
                if (turn % PAUSES_PER_LOOK == 0) {
                    open.removeIf(channel -> !isOpen(channel));
                }
                for (int i = 0; i < NEW_AT_ONCE && open.size() < connections; i++) {
                    if (!open(open)) {
                        break;
                    }
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } finally {
            open.forEach(HeldLoad::close);
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
