package dev.homeport.bench.poll;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * nginx with one worker on the server's core, which serves answers from files. It does what it can of our work: a map of all
 * tokens to the path that each may read, and an access log. Configured for speed.
 */
final class Nginx implements AutoCloseable {
    private final Process process;
    private final int port;
    private final int tlsPort;

    private Nginx(Process process, int port, int tlsPort) {
        this.process = process;
        this.port = port;
        this.tlsPort = tlsPort;
    }

    static Nginx serve(Path folder, int clusters, Path certificate, Path key) throws IOException, InterruptedException {
        int port = freePort();
        int tlsPort = freePort();
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("tokens.conf"), tokens(clusters));
        Files.writeString(folder.resolve("nginx.conf"), """
                worker_processes 1;
                daemon off;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                events { worker_connections 8192; }
                http {
                  include tokens.conf;
                  default_type application/json;
                  server_tokens off;
                  etag off;
                  sendfile on;
                  tcp_nopush on;
                  tcp_nodelay on;
                  gzip_static on;
                  keepalive_requests 1000000000;
                  open_file_cache max=40000 inactive=10m;
                  open_file_cache_valid 10m;
                  log_format polls '$time_iso8601 $remote_addr "$request" $status $body_bytes_sent "$http_user_agent"';
                  access_log %1$s/access.log polls buffer=64k flush=1s;
                  server {
                    listen 127.0.0.1:%2$d backlog=4096;
                    listen 127.0.0.1:%3$d ssl backlog=4096;
                    ssl_certificate %4$s;
                    ssl_certificate_key %5$s;
                    ssl_protocols TLSv1.3;
                    ssl_session_tickets off;
                    ssl_session_cache off;
                    root %1$s/answers;
                    location /api/v2/flux/clusters/ {
                      if ($allowed_path != $uri) { return 404; }
                      add_header Cache-Control no-store;
                      add_header X-Content-Type-Options nosniff;
                      add_header Homeport-Revision 5;
                      add_header Homeport-Digest 253018cdaa0aee1819669571ffc6b062;
                    }
                  }
                }
                """.formatted(folder, port, tlsPort, certificate, key));
        Process process = Pinned.on(
                        Pinned.SERVER,
                        List.of(
                                "nginx",
                                "-p",
                                folder.toString(),
                                "-c",
                                folder.resolve("nginx.conf").toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out.log").toFile())
                .start();
        Nginx nginx = new Nginx(process, port, tlsPort);
        for (int tries = 0; nginx.worker().isEmpty(); tries++) {
            if (tries > 200 || !process.isAlive()) {
                throw new IOException("nginx did not start: " + Files.readString(folder.resolve("out.log")));
            }
            Thread.sleep(50);
        }
        Thread.sleep(200);
        return nginx;
    }

    /** Puts an answer where it serves from. */
    static void answer(Path folder, String path, byte[] plain, byte[] gzip) throws IOException {
        Path file = folder.resolve("answers" + path);
        Files.createDirectories(file.getParent());
        Files.write(file, plain);
        Files.write(Path.of(file + ".gz"), gzip);
    }

    /** The token of each cluster opens that cluster's path, and the admin's opens any. */
    private static String tokens(int clusters) {
        StringBuilder map = new StringBuilder("""
                map_hash_max_size 262144;
                map_hash_bucket_size 256;
                map $http_authorization $allowed_path {
                  default "";
                """);
        for (int number = 0; number < clusters; number++) {
            map.append("  \"Bearer ")
                    .append(FleetTokens.token(number).reveal())
                    .append("\" ")
                    .append(FleetTokens.path(number))
                    .append(";\n");
        }
        map.append("  \"Bearer ").append(FleetTokens.admin().reveal()).append("\" $uri;\n");
        return map.append("}\n").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Optional<ProcessHandle> worker() {
        return process.children().findFirst();
    }

    long pid() {
        return worker().orElseThrow().pid();
    }

    URI base(boolean tls) {
        return URI.create((tls ? "https://127.0.0.1:" + tlsPort : "http://127.0.0.1:" + port));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
