package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.TokenStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tokens in a real keyring, and what becomes of commands when it does not do what a keyring does. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KeyringTest {
    @TempDir
    static Path shared;

    private static Cli cli;
    private static RealKeyring keyring;
    private static CompletableFuture<Cli.Ran> waiting;

    @TempDir
    Path folder;

    private String token;

    @BeforeAll
    static void start() throws Exception {
        keyring = new RealKeyring(shared.resolve("keyring"));
        cli = new Cli(shared);
        waiting = whoWaits();
    }

    /** Started before everything else, so that no test waits for it. */
    private static CompletableFuture<Cli.Ran> whoWaits() throws Exception {
        Path begun = shared.resolve("begun");
        tool(shared, "touch " + begun + "; exec sleep 60");
        Contexts contexts = new Contexts(shared.resolve("config/homeport/config.yaml"));
        contexts.put(Contexts.Context.of("x", cli.address()).with(TokenStore.SETTING, "0".repeat(32)));
        cli.variables.putIfAbsent("DBUS_SESSION_BUS_ADDRESS", "none");
        CompletableFuture<Cli.Ran> ran = CompletableFuture.supplyAsync(() -> cli.run("whoami"));
        while (!Files.exists(begun) && !ran.isDone()) {
            Thread.sleep(10);
        }
        return ran;
    }

    @AfterAll
    static void stop() throws Exception {
        if (cli != null) {
            cli.close();
        }
        if (keyring != null) {
            keyring.close();
        }
    }

    @BeforeEach
    void anew() throws Exception {
        keyring.run("clear", "service", "homeport");
        cli.variables.clear();
        cli.variables.putAll(keyring.variables());
        cli.variables.put("XDG_CONFIG_HOME", folder.toString());
        cli.variables.put("XDG_CACHE_HOME", folder.toString());
        token = cli.server.firstToken().orElseThrow();
    }

    private Path config() {
        return folder.resolve("homeport/config.yaml");
    }

    private Cli.Ran login(String... more) {
        List<String> words = new ArrayList<>(List.of("login", cli.address(), "--token-stdin"));
        words.addAll(List.of(more));
        return cli.typing(token, words.toArray(String[]::new));
    }

    private String number() throws IOException {
        Matcher line =
                Pattern.compile("(?m)^\\s*keyring: \"?([0-9a-f]{32})\"?$").matcher(Files.readString(config()));
        assertThat(line.find()).as(Files.readString(config())).isTrue();
        return line.group(1);
    }

    /** A program that takes the place of the real one. */
    private void tool(String script) throws IOException {
        tool(folder, script);
    }

    private static void tool(Path folder, String script) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path tool = Files.writeString(bin.resolve("secret-tool"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
        cli.variables.put("PATH", bin + ":/usr/bin:/bin");
    }

    @Test
    void whoSignsInHasTheTokenInTheKeyringAndNothingOfItInTheFile() throws Exception {
        assertThat(login().ok().err()).contains("; the token is in the keyring");
        String first = number();
        assertThat(Files.readString(config())).doesNotContain(token);
        assertThat(keyring.run("lookup", "service", "homeport", "id", first)).contains(token);
        cli.run("get", "clusters").ok();
        assertThat(cli.run("context", "list").ok().out()).contains("signed in");
        assertThat(cli.run("doctor").ok().out()).contains("token: in the keyring, which answers");
        // The user may have to unlock it, and sees what the command waits for.
        String path = keyring.variables().get("PATH");
        tool("sleep 1.2; PATH=" + path + " exec secret-tool \"$@\"");
        assertThat(cli.atTerminal("", "whoami").ok().err()).contains("waiting for the keyring");
        cli.variables.put("PATH", path);
        // Another sign-in replaces it; a setting leaves it as it is.
        login().ok();
        assertThat(keyring.content()).contains(token).contains(number()).doesNotContain(first);
        cli.run("context", "set", "127.0.0.1", "workspace=").ok();
        cli.run("whoami").ok();
        // The same name, from another folder: neither takes the other's away.
        String here = number();
        cli.variables.put("XDG_CONFIG_HOME", folder.resolve("other").toString());
        login().ok();
        cli.run("logout").ok();
        cli.run("whoami").fails(4);
        cli.variables.put("XDG_CONFIG_HOME", folder.toString());
        cli.run("whoami").ok();
        // A server does not get the token of another one, whatever the file says.
        String before = Files.readString(config());
        Files.writeString(config(), before.replace("127.0.0.1:", "localhost:"));
        assertThat(cli.run("whoami").fails(4).err()).contains("is not a token for http://localhost");
        Files.writeString(config(), before);
        cli.run("logout").ok();
        assertThat(keyring.content()).doesNotContain(here).doesNotContain(token);
        assertThat(Files.readString(config())).doesNotContain("keyring");
        cli.run("whoami").fails(4);
        assertThat(cli.run("context", "list").ok().out()).contains("no token");
    }

    @Test
    void contextsTakeTheirTokensWithThem() throws Exception {
        String odd = "ö 'x' \" --help $(id) #";
        login("--name", odd).ok();
        cli.run("whoami").ok();
        assertThat(cli.run("context", "remove", odd).ok().err()).isEmpty();
        assertThat(keyring.content()).isEmpty();
        assertThat(cli.typing(token + "\n", "context", "add", "a", cli.address(), "--token-stdin")
                        .ok()
                        .err())
                .isEqualTo("the token is in the keyring\n");
        cli.run("whoami").ok();
        cli.typing("a\nb", "context", "add", "b", cli.address(), "--token-stdin")
                .fails(2);
        cli.run("context", "set", "a", "server=http://127.0.0.1:1").ok();
        assertThat(keyring.content()).isEmpty();
        // What others have taken out is known to be gone.
        login("--name", "b").ok();
        keyring.run("clear", "service", "homeport", "id", number());
        assertThat(cli.run("whoami").fails(4).err())
                .contains("not in the keyring any more; sign in again: homeport login " + cli.address())
                .contains("--name 'b'");
        assertThat(cli.run("doctor").fails(1).out()).contains("fail the token of context b", "answers");
        cli.run("logout").ok();
        // A file that cannot be written leaves nothing behind in the keyring.
        Files.writeString(config(), "contexts: [");
        login().fails(2);
        assertThat(keyring.content()).isEmpty();
    }

    @Test
    void aLockedKeyringIsNotWaitedFor() throws Exception {
        login("--name", "before").ok();
        keyring.lock();
        try {
            assertThat(cli.run("get", "clusters").fails(4).err())
                    .contains("cannot be read (it is locked): unlock it, set HOMEPORT_TOKEN, or sign in again:");
            cli.variables.put("HOMEPORT_KEYRING", "on");
            assertThat(login().fails(2).err()).contains("the keyring does not take the token");
            cli.variables.remove("HOMEPORT_KEYRING");
            assertThat(login("--name", "now").ok().err())
                    .contains("the token is in the file of contexts, because the keyring does not take it");
            cli.run("whoami").ok();
            assertThat(cli.run("logout", "before").fails(1).err())
                    .contains(
                            "still in the keyring (it is locked); remove it with: secret-tool clear service homeport id");
        } finally {
            keyring.unlock();
        }
        assertThat(keyring.content()).contains(token);
    }

    @Test
    void whereThereIsNoKeyringOrNobodyWantsItTheFileHasTheToken() throws Exception {
        cli.variables.put("HOMEPORT_KEYRING", "off");
        assertThat(login().ok().err()).contains("; the token is in the file of contexts");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config())))
                .isEqualTo("rw-------");
        cli.variables.put("HOMEPORT_KEYRING", "maybe");
        assertThat(login().fails(2).err()).contains("HOMEPORT_KEYRING is maybe: write on or off");
        cli.variables.remove("HOMEPORT_KEYRING");
        assertThat(cli.run("doctor").ok().out())
                .contains("token: in the file of contexts; the next login can keep it in the keyring");
        // A token that is in the file stays there, and no keyring is asked for it.
        Path asked = folder.resolve("asked");
        tool("touch " + asked);
        cli.run("get", "clusters").ok();
        cli.prepared("get", "clusters").ok();
        cli.run("context", "set", "127.0.0.1", "workspace=").ok();
        cli.run("context", "list").ok();
        assertThat(Files.readString(config())).contains(token);
        assertThat(asked).doesNotExist();
        cli.variables.put("HOMEPORT_KEYRING", "on");
        cli.variables.put("PATH", "bin:.::/none");
        assertThat(login().fails(2).err()).contains("there is no secret-tool on the PATH");
        cli.variables.putAll(keyring.variables());
        cli.variables.remove("DBUS_SESSION_BUS_ADDRESS");
        cli.variables.remove("XDG_RUNTIME_DIR");
        assertThat(login().fails(2).err()).contains("there is no session bus");
        cli.variables.remove("HOMEPORT_KEYRING");
        assertThat(login().ok().err()).endsWith("; the token is in the file of contexts\n");
        // A token that a session keeps is out of reach where there is no session; HOMEPORT_TOKEN helps.
        cli.variables.putAll(keyring.variables());
        login().ok();
        cli.variables.remove("DBUS_SESSION_BUS_ADDRESS");
        cli.variables.remove("XDG_RUNTIME_DIR");
        assertThat(cli.run("whoami").fails(4).err()).contains("is in a keyring, and here there is no session bus");
        cli.variables.putAll(keyring.variables());
        tool("touch " + asked);
        cli.variables.put("HOMEPORT_TOKEN", token);
        cli.run("whoami").ok();
        cli.prepared("get", "clusters").ok();
        assertThat(asked).doesNotExist();
        cli.variables.remove("HOMEPORT_TOKEN");
        cli.variables.putAll(keyring.variables());
        cli.prepared("get", "clusters").ok();
        cli.run("logout").ok();
    }

    @Test
    void aProgramThatIsNoKeyringHarmsNothing() throws Exception {
        login().ok();
        for (String script :
                List.of("echo no >&2; exit 3", "exec cat /dev/zero", "kill -9 $$", "exec cat /dev/zero >&2")) {
            tool(script);
            assertThat(cli.run("whoami").fails(4).err())
                    .as(script)
                    .contains("sign in again")
                    .hasSizeLessThan(1000);
        }
        for (String script :
                List.of("echo '[1'", "printf '\\377\\000'", "echo '{\"server\":[],\"token\":7}'", "true")) {
            tool(script);
            assertThat(cli.run("whoami").fails(4).err()).as(script).contains("is not a token for");
            assertThat(login("--name", "b").ok().err())
                    .as(script)
                    .contains("; the token is in the file of contexts")
                    .contains("it does not give back what was stored");
            cli.run("context", "use", "127.0.0.1").ok();
        }
        // What was stored and cannot be read again does not stay there.
        tool("[ \"$1\" = lookup ] && exit; PATH=" + keyring.variables().get("PATH") + " exec secret-tool \"$@\"");
        assertThat(login("--name", "b").ok().err()).contains("it does not give back what was stored");
        assertThat(keyring.content()).contains("Homeport: 127.0.0.1 at").doesNotContain("Homeport: b at");
        cli.run("context", "use", "127.0.0.1").ok();
        Files.writeString(folder.resolve("bin/secret-tool"), "#!/none/such");
        assertThat(cli.run("whoami").fails(4).err()).contains("cannot be run");
        cli.variables.putAll(keyring.variables());
        // What is too long for a keyring is not cut off.
        Contexts contexts = new Contexts(config());
        String long1 = "x".repeat(4000) + "\"\n\\ü";
        cli.run("whoami").ok();
        assertThat(cli.put(Contexts.Context.of("long", cli.address())
                        .with("token", long1)
                        .with("refresh_token", long1)
                        .with("token_until", "never")))
                .contains("longer than a keyring takes");
        assertThat(contexts.get("long").token()).contains(long1);
        assertThat(cli.put(Contexts.Context.of("odd", cli.address()).with("token", long1)))
                .isEqualTo("in the keyring");
        assertThat(cli.opened(contexts.get("odd")).token()).contains(long1);
    }

    /** The loopback endpoint takes each token for renewal once, as many providers do; what it gives is a token of the server. */
    @Test
    void commandsAtOnceRenewTheSignInOnceAndNoneLosesIt() throws Exception {
        AtomicInteger renewals = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        HttpServer provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/token", exchange -> {
            String form = URLDecoder.decode(
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                    StandardCharsets.UTF_8);
            boolean good = form.contains("refresh_token=once-" + renewals.get() + "&")
                    || form.endsWith("refresh_token=once-" + renewals.get());
            String answer = good
                    ? "{\"access_token\":\"" + token + "\",\"refresh_token\":\"once-" + renewals.incrementAndGet()
                            + "\",\"expires_in\":600}"
                    : "{\"error\":\"invalid_grant\"}";
            refused.addAndGet(good ? 0 : 1);
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(good ? 200 : 400, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        provider.start();
        try {
            assertThat(cli.put(Contexts.Context.of("person", cli.address())
                            .with("token", "old")
                            .with("refresh_token", "once-0")
                            .with("token_until", "2020-01-01T00:00:00Z")
                            .with("token_client", "homeport-cli")
                            .with(
                                    "token_endpoint",
                                    "http://127.0.0.1:" + provider.getAddress().getPort() + "/token")))
                    .isEqualTo("in the keyring");
            String file = Files.readString(config());
            List<Process> commands = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.homeport.cli.Main",
                        "get",
                        "clusters");
                builder.environment().clear();
                builder.environment().putAll(cli.variables);
                commands.add(builder.redirectErrorStream(true).start());
            }
            for (Process command : commands) {
                String said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(command.exitValue()).as(said).isZero();
                assertThat(said).doesNotContain("warning");
            }
            cli.run("whoami").ok();
            assertThat(renewals.get()).isEqualTo(1);
            assertThat(refused.get()).isZero();
            assertThat(keyring.content()).contains("once-1").doesNotContain("once-0");
            assertThat(Files.readString(config())).isEqualTo(file);
            cli.run("logout").ok();
            assertThat(keyring.content()).isEmpty();
        } finally {
            provider.stop(0);
        }
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void aKeyringThatDoesNotAnswerIsNotWaitedFor() throws Exception {
        assertThat(waiting.get(20, TimeUnit.SECONDS).fails(4).err())
                .contains("it does not answer within 5 s", "HOMEPORT_KEYRING=off homeport login");
    }
}
