package dev.homeport.server.config;

import dev.homeport.flux.BootstrapRequest;
import dev.homeport.server.http.TrustedProxies;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The settings, read and checked. */
public record ServerSettings(
        Mode mode,
        Store store,
        boolean initialise,
        Path data,
        Optional<Address> adminListen,
        Optional<Address> pollListen,
        PhoneNumber phoneNumber,
        Optional<Tls> tls,
        Proxies proxies,
        SignInSettings signIn,
        Duration freshness,
        Duration liveness,
        long pollRate,
        long answerCacheBytes,
        Limits limits,
        Optional<String> adminToken,
        Optional<Path> adminTokenFile,
        Optional<String> compatReadToken,
        Optional<String> compatWriteToken,
        Optional<Path> seedFile,
        int observedDays,
        AuditSettings audit,
        KeyAccess keyAccess,
        boolean jsonLogs,
        Optional<Traces> traces) {

    /** Which planes run. */
    public enum Mode {
        CRUD,
        READ_ONLY
    }

    /** Where the log is. */
    public sealed interface Store {
        record Embedded() implements Store {}

        record Memory() implements Store {}

        record Postgres(String url) implements Store {}
    }

    /** The address that clusters poll, and its certificate authority. */
    public record PhoneNumber(Optional<String> url, Optional<Path> authority) {}

    /** Certificates in PEM files. */
    public record Tls(
            Path certificate,
            Path key,
            Optional<Path> clientCa,
            ClusterUri clientUri,
            Optional<AdminClients> adminClients) {}

    /**
     * Trusted proxies.
     *
     * @param poll whether connections of the poll plane begin with a PROXY header
     * @param admin whether those of the admin plane do
     */
    public record Proxies(TrustedProxies trusted, boolean poll, boolean admin) {}

    /**
     * Limits of connections; empty where the default is derived from the limits of the process.
     *
     * @param streams open event streams
     * @param requestBytes for requests that are being received, and as much for answers
     */
    public record Limits(
            Optional<Integer> connections,
            Optional<Integer> connectionsPerAddress,
            int streams,
            Optional<Long> requestBytes) {}

    /** How a wrapped master key is opened: a file with its passphrase, or a program with its arguments. */
    public record KeyAccess(Optional<Path> passphraseFile, List<String> command) {
        public static final KeyAccess NONE = new KeyAccess(Optional.empty(), List.of());

        public KeyAccess {
            command = List.copyOf(command);
        }
    }

    /**
     * Certificates that clients of the admin plane show.
     *
     * @param required whether connections without one are refused
     */
    public record AdminClients(Path authority, boolean required) {}

    /** Where traces go, and how many of them. */
    public record Traces(URI endpoint, double share) {}

    public static ServerSettings of(SettingSources found) {
        Reader reader = new Reader(found);
        boolean compatAlone = found.get(Setting.MODE).isStandard()
                && !found.get(Setting.AUTH_TOKEN).value().isEmpty();
        Mode mode = compatAlone ? Mode.READ_ONLY : reader.read(Setting.MODE, ServerSettings::mode);
        Optional<Address> one = reader.optional(Setting.LISTEN_ADDR, Address::parse);
        boolean pollChosen = !found.get(Setting.POLL_LISTEN).isStandard();
        Optional<Address> poll = one.isPresent() && !pollChosen
                ? (mode == Mode.READ_ONLY ? one : Optional.empty())
                : reader.optional(Setting.POLL_LISTEN, Address::parse);
        Optional<Address> admin = mode == Mode.READ_ONLY
                ? Optional.empty()
                : one.isPresent() ? one : reader.optional(Setting.ADMIN_LISTEN, Address::parse);
        Optional<Tls> tls = reader.tls();
        boolean plain = reader.read(Setting.PLAIN_HTTP, ServerSettings::truth) || one.isPresent();
        ServerSettings settings = new ServerSettings(
                mode,
                reader.store(),
                reader.read(Setting.INIT, ServerSettings::truth),
                reader.data(),
                admin,
                poll,
                new PhoneNumber(
                        reader.optional(Setting.POLL_URL, ServerSettings::address),
                        reader.optional(Setting.POLL_CA, Path::of)),
                tls,
                reader.proxies(),
                reader.signIn(),
                Duration.ofMillis(reader.read(Setting.FRESHNESS_MS, text -> positive(text, 100, 600_000))),
                Duration.ofSeconds(reader.read(Setting.LIVENESS_SECONDS, text -> positive(text, 1, 86_400))),
                reader.read(Setting.POLL_RATE, text -> positive(text, 0, 1_000_000)),
                reader.read(Setting.ANSWER_CACHE_MIB, text -> positive(text, 1, 1_000_000)) * 1024L * 1024L,
                reader.limits(),
                reader.optional(Setting.ADMIN_TOKEN, Function.identity()),
                reader.optional(Setting.ADMIN_TOKEN_FILE, Path::of),
                reader.optional(Setting.AUTH_TOKEN, Function.identity()),
                reader.optional(Setting.CRUD_AUTH_TOKEN, Function.identity()),
                reader.optional(Setting.SEED_FILE, Path::of),
                Math.toIntExact(reader.read(Setting.OBSERVED_DAYS, text -> positive(text, 1, 3650))),
                reader.audit(),
                reader.keyAccess(),
                reader.read(Setting.LOG_FORMAT, ServerSettings::isJson),
                reader.traces());
        if (tls.isEmpty() && !plain) {
            java.util.stream.Stream.concat(admin.stream(), poll.stream())
                    .filter(address -> !address.isLoopback())
                    .forEach(address -> reader.wrong.add(address
                            + " is not loopback and has no TLS: set tls_certificate and tls_key, or plain_http: true"
                            + " behind a proxy that ends TLS"));
        }
        if (admin.isEmpty() && poll.isEmpty()) {
            reader.wrong.add("nothing to listen on: set poll_listen or admin_listen");
        }
        if (!reader.wrong.isEmpty()) {
            throw new BadSettings(reader.wrong);
        }
        return settings;
    }

    private static String address(String text) {
        BootstrapRequest.addressFault(text).ifPresent(fault -> {
            throw new IllegalArgumentException("is not right: " + fault);
        });
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static String secret(String file) {
        try {
            String secret = Files.readString(Path.of(file)).strip();
            if (secret.isEmpty()) {
                throw new IllegalArgumentException("is empty");
            }
            return secret;
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage());
        }
    }

    private static Mode mode(String text) {
        return switch (text) {
            case "crud" -> Mode.CRUD;
            case "read-only" -> Mode.READ_ONLY;
            default -> throw new IllegalArgumentException("is neither crud nor read-only");
        };
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    private static String planes(String text) {
        return switch (text) {
            case "none", "poll", "admin", "both" -> text;
            default -> throw new IllegalArgumentException("is neither none, poll, admin nor both");
        };
    }

    private static URI web(String text) {
        URI uri = URI.create(text);
        if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
            throw new IllegalArgumentException("is neither http://… nor https://…");
        }
        return uri;
    }

    private static double share(String text) {
        double share = Double.parseDouble(text);
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("is not between 0 and 1");
        }
        return share;
    }

    private static boolean isJson(String text) {
        return switch (text) {
            case "json" -> true;
            case "text" -> false;
            default -> throw new IllegalArgumentException("is neither text nor json");
        };
    }

    private static long positive(String text, long least, long most) {
        long value = Long.parseLong(text);
        if (value < least || value > most) {
            throw new IllegalArgumentException("is not between " + least + " and " + most);
        }
        return value;
    }

    /** Reads values and collects all errors, so that they are reported together. */
    private static final class Reader {
        private final SettingSources found;
        private final List<String> wrong = new ArrayList<>();

        Reader(SettingSources found) {
            this.found = found;
        }

        <T> T read(Setting setting, Function<String, T> parse) {
            return tried(setting, parse).orElseGet(() -> parse.apply(setting.standard()));
        }

        <T> Optional<T> optional(Setting setting, Function<String, T> parse) {
            return found.get(setting).value().isEmpty() ? Optional.empty() : tried(setting, parse);
        }

        /** Nothing when the value is wrong, which is noted. */
        private <T> Optional<T> tried(Setting setting, Function<String, T> parse) {
            SettingSources.Found value = found.get(setting);
            try {
                return Optional.of(parse.apply(value.value()));
            } catch (NumberFormatException e) {
                wrong.add(setting.key() + " (" + value.source() + ") is not a number");
            } catch (IllegalArgumentException e) {
                String shown = setting.isSecret() ? "" : " \"" + value.value() + "\"";
                wrong.add(setting.key() + shown + " (" + value.source() + ") " + e.getMessage());
            }
            return Optional.empty();
        }

        /** The folder that is named, or else the one in the database URL. */
        Path data() {
            Path named = read(Setting.DATA, Path::of);
            String url = found.get(Setting.DATABASE_URL).value();
            Optional<Path> inUrl = url.startsWith(SqliteUrl.PREFIX) && !SqliteUrl.isMemory(url)
                    ? SqliteUrl.folder(url)
                    : Optional.empty();
            if (inUrl.isEmpty() || found.get(Setting.DATA).isStandard()) {
                return inUrl.orElse(named);
            }
            if (!inUrl.get()
                    .toAbsolutePath()
                    .normalize()
                    .equals(named.toAbsolutePath().normalize())) {
                wrong.add("data is " + named + ", but database_url means " + inUrl.get() + ": set one of them");
            }
            return named;
        }

        Store store() {
            String url = found.get(Setting.DATABASE_URL).value();
            String backend = found.get(Setting.STORE).value();
            if (backend.equals("memory") || url.startsWith(SqliteUrl.PREFIX) && SqliteUrl.isMemory(url)) {
                return new Store.Memory();
            }
            if (url.startsWith("postgres://") || url.startsWith("postgresql://")) {
                return new Store.Postgres(url);
            }
            if (!url.isEmpty() && !url.startsWith("sqlite:")) {
                wrong.add("database_url (" + found.get(Setting.DATABASE_URL).source()
                        + ") is neither postgresql://… nor sqlite:…");
            }
            if (!backend.isEmpty() && !backend.equals("sqlite")) {
                wrong.add("store \"" + backend + "\" is neither sqlite nor memory");
            }
            return new Store.Embedded();
        }

        Optional<Traces> traces() {
            double share = read(Setting.TRACES_SHARE, ServerSettings::share);
            return optional(Setting.TRACES_ENDPOINT, text -> new Traces(web(text), share));
        }

        Limits limits() {
            return new Limits(
                    optional(Setting.MAX_CONNECTIONS, text -> Math.toIntExact(positive(text, 8, 10_000_000))),
                    optional(
                            Setting.MAX_CONNECTIONS_PER_ADDRESS,
                            text -> Math.toIntExact(positive(text, 1, 10_000_000))),
                    read(Setting.MAX_STREAMS, text -> Math.toIntExact(positive(text, 1, 100_000))),
                    optional(Setting.REQUEST_MEMORY_MIB, text -> positive(text, 1, 1_000_000) * 1024L * 1024L));
        }

        Proxies proxies() {
            TrustedProxies trusted = read(Setting.TRUSTED_PROXIES, TrustedProxies::parse);
            String planes = read(Setting.PROXY_PROTOCOL, ServerSettings::planes);
            boolean poll = planes.equals("poll") || planes.equals("both");
            boolean admin = planes.equals("admin") || planes.equals("both");
            if ((poll || admin) && trusted.isEmpty()) {
                wrong.add("proxy_protocol needs trusted_proxies: without them every PROXY header is ignored");
            }
            return new Proxies(trusted, poll, admin);
        }

        SignInSettings signIn() {
            List<SignInSettings.Pipelines> pipelines = optional(Setting.TRUSTED_ISSUERS, Path::of)
                    .map(file -> TrustedIssuers.read(file, wrong))
                    .orElse(List.of());
            return new SignInSettings(people(), pipelines);
        }

        private Optional<SignInSettings.People> people() {
            Optional<String> issuer = optional(Setting.OIDC_ISSUER, SignInSettings.Issuer::parse);
            Optional<String> client = optional(Setting.OIDC_CLIENT_ID, Function.identity());
            Optional<String> audience = optional(Setting.OIDC_AUDIENCE, Function.identity());
            Optional<String> secret = optional(Setting.OIDC_CLIENT_SECRET_FILE, ServerSettings::secret);
            boolean whole = issuer.isPresent() && client.isPresent() && audience.isPresent();
            boolean any = !found.get(Setting.OIDC_ISSUER).value().isEmpty()
                    || client.isPresent()
                    || audience.isPresent()
                    || secret.isPresent();
            Optional<String> adminUrl = optional(Setting.ADMIN_URL, ServerSettings::address);
            Duration session =
                    Duration.ofMinutes(read(Setting.SESSION_MINUTES, text -> positive(text, 1, 7 * 24 * 60)));
            if (!whole) {
                if (any) {
                    wrong.add("oidc_issuer, oidc_client_id and oidc_audience go together");
                }
                return Optional.empty();
            }
            String cli = optional(Setting.OIDC_CLI_CLIENT_ID, Function.identity())
                    .orElse(secret.isPresent() ? "" : client.get());
            return Optional.of(new SignInSettings.People(
                    new SignInSettings.Issuer(issuer.get(), optional(Setting.OIDC_CA, Path::of)),
                    audience.get(),
                    new SignInSettings.Client(
                            client.get(), secret, cli, read(Setting.OIDC_SCOPES, Function.identity())),
                    new SignInSettings.Claims(
                            read(Setting.OIDC_NAME_CLAIM, Function.identity()),
                            read(Setting.OIDC_GROUP_CLAIM, Function.identity())),
                    new SignInSettings.Browser(adminUrl, session)));
        }

        AuditSettings audit() {
            AuditSettings audit = new AuditSettings(
                    optional(Setting.AUDIT_FILE, Path::of),
                    optional(Setting.AUDIT_URL, AuditSettings::address),
                    optional(Setting.AUDIT_TOKEN_FILE, ServerSettings::secret),
                    optional(Setting.AUDIT_CA, Path::of),
                    read(Setting.AUDIT_READS, ServerSettings::truth));
            if (audit.reads()
                    && audit.file().isEmpty()
                    && found.get(Setting.AUDIT_URL).value().isEmpty()) {
                wrong.add("audit_reads needs audit_file or audit_url: reads are forwarded and not stored");
            }
            return audit;
        }

        KeyAccess keyAccess() {
            KeyAccess access = new KeyAccess(
                    optional(Setting.MASTER_KEY_PASSPHRASE_FILE, Path::of),
                    optional(
                                    Setting.MASTER_KEY_COMMAND,
                                    text -> List.of(text.strip().split("\\s+", -1)))
                            .orElse(List.of()));
            if (access.passphraseFile().isPresent() && !access.command().isEmpty()) {
                wrong.add("master_key_passphrase_file and master_key_command exclude each other");
            }
            return access;
        }

        private Optional<AdminClients> adminClients() {
            boolean required = read(Setting.ADMIN_CLIENT_AUTH, text -> switch (text) {
                case "required" -> true;
                case "optional" -> false;
                default -> throw new IllegalArgumentException("is neither required nor optional");
            });
            return optional(Setting.ADMIN_CLIENT_CA, Path::of).map(file -> new AdminClients(file, required));
        }

        Optional<Tls> tls() {
            Optional<Path> certificate = optional(Setting.TLS_CERTIFICATE, Path::of);
            Optional<Path> key = optional(Setting.TLS_KEY, Path::of);
            if (certificate.isPresent() != key.isPresent()) {
                wrong.add("tls_certificate and tls_key go together");
            }
            Optional<Path> clientCa = optional(Setting.TLS_CLIENT_CA, Path::of);
            ClusterUri clientUri = read(Setting.TLS_CLIENT_URI, ClusterUri::parse);
            if (clientCa.isPresent() && certificate.isEmpty()) {
                wrong.add("tls_client_ca needs tls_certificate and tls_key: client certificates need TLS");
            }
            Optional<AdminClients> adminClients = adminClients();
            if (adminClients.isPresent() && certificate.isEmpty()) {
                wrong.add(
                        "admin_client_ca needs tls_certificate and tls_key: without TLS no client shows a certificate");
            }
            return certificate.isPresent() && key.isPresent()
                    ? Optional.of(new Tls(certificate.get(), key.get(), clientCa, clientUri, adminClients))
                    : Optional.empty();
        }
    }
}
