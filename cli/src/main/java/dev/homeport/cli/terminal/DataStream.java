package dev.homeport.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers why it could not be written, which a {@link PrintStream} keeps to itself. */
public final class DataStream extends PrintStream {
    private final Remembering written;
    private final BooleanSupplier pipe;

    /** @param pipe whether the output is a pipe, whose reader may close it at any time */
    public DataStream(OutputStream out, BooleanSupplier pipe) {
        this(new Remembering(out), pipe);
    }

    private DataStream(Remembering written, BooleanSupplier pipe) {
        super(written, false, StandardCharsets.UTF_8);
        this.written = written;
        this.pipe = pipe;
    }

    /** Why something is missing from a stream. Empty if nothing is, or if its reader wanted no more. */
    public static Optional<String> trouble(PrintStream out) {
        return out.checkError() && out instanceof DataStream data && !data.pipe.getAsBoolean()
                ? Optional.ofNullable(data.written.trouble).map(trouble -> String.valueOf(trouble.getMessage()))
                : Optional.empty();
    }

    private static final class Remembering extends FilterOutputStream {
        private volatile @Nullable IOException trouble;

        Remembering(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                trouble = e;
                throw e;
            }
        }
    }
}
