package dev.homeport.bench.attack;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is done to a server. Rates and counts are bounded: one machine runs the attacker, the server and the honest polls. */
enum Attack {
    RST("rst", "connections that are reset in every state, 400 a second"),
    HALF_BODIES("half-bodies", "2,000 connections with an announced body of which nothing comes"),
    SLOW_BODIES("slow-bodies", "1,000 connections with a body of one byte a second"),
    IDLE("idle", "4,000 connections without a request"),
    TLS("tls", "TLS handshakes without a request, and garbage, 30 a second"),
    BAD_SIGNATURES("bad-signatures", "events with a wrong signature, 400 a second"),
    SELECTOR_BATCHES("selector-batches", "batches of 300 selectors whose client does not wait, 4 a second"),
    IMPORTS("imports", "imports of 1 MB, 4 a second");

    private final String title;
    private final String description;

    Attack(String title, String description) {
        this.title = title;
        this.description = description;
    }

    String title() {
        return title;
    }

    String description() {
        return description;
    }

    static Optional<Attack> named(String title) {
        return Arrays.stream(values())
                .filter(attack -> attack.title.equals(title))
                .findFirst();
    }

    static String names() {
        return Arrays.stream(values()).map(Attack::title).collect(Collectors.joining(", "));
    }

    Load load(AttackTarget target, Attacker attacker) {
        Requests requests = new Requests(target);
        return switch (this) {
            case RST ->
                new RepeatedLoad(
                        400,
                        number -> attacker.reset(
                                number % 4 == 3 ? target.admin() : target.poll(), requests.cutShort(number)));
            case HALF_BODIES -> new HeldLoad(2_000, attacker, requests::announced, target, false);
            case SLOW_BODIES -> new HeldLoad(1_000, attacker, requests::announced, target, true);
            case IDLE -> new HeldLoad(4_000, attacker, number -> new byte[0], target, false);
            case TLS -> new RepeatedLoad(30, number -> attacker.handshake(target.poll(), number));
            case BAD_SIGNATURES ->
                new RepeatedLoad(400, number -> attacker.ask(target.poll(), requests.badEvent(number), true));
            case SELECTOR_BATCHES ->
                new RepeatedLoad(4, number -> attacker.ask(target.admin(), requests.selectorBatch(), number % 2 == 0));
            case IMPORTS ->
                new RepeatedLoad(4, number -> attacker.ask(target.admin(), requests.importing(), number % 2 == 0));
        };
    }
}
