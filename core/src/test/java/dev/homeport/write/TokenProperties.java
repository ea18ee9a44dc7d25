package dev.homeport.write;

import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestTokens.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.access.TokenText;
import dev.homeport.access.Verb;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.Cases;
import dev.homeport.support.TestFleet;
import dev.homeport.support.TestTokens;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens are made, rotated and revoked, grants come and go, time passes: no token exceeds or outlives those that it comes from. */
@Tag("properties")
class TokenProperties {
    private static final int STEPS = 40;
    private static final List<String> SUBJECTS =
            List.of("person:ann", "person:ben", "service:ci", "service:bot", "person:root");
    private static final List<String> ROLES =
            List.of("viewer", "operator", "workspace-admin", "cluster-admin", "platform-admin");
    private static final List<String> SCOPES = List.of(
            "{\"fleet\": true}",
            "{\"workspace\": \"wa\"}",
            "{\"workspace\": \"wb\"}",
            "{\"cluster\": \"ca\"}",
            "{\"environment\": \"dev\"}");

    @TempDir
    Path directory;

    private TestFleet fleet;
    private TestTokens tokens;
    private List<Known> known = new ArrayList<>();
    private int grants;

    /**
     * A token as the model has it.
     *
     * @param maker the token that made it, or the one before it that it was rotated from
     * @param rotator the other token that rotated it last, and so had its text
     * @param most what it may do at most; null: anything
     * @param end when it has ended for certain
     */
    private record Known(
            TokenText text,
            @Nullable Known maker,
            @Nullable Known rotator,
            @Nullable Set<String> most,
            Instant end) {}

    @Test
    void noTokenExceedsOrOutlivesItsAncestors() {
        try (TestFleet made = TestFleet.sqlite(directory)) {
            fleet = made;
            fleet.create(Types.WORKSPACE, "wa", "{}");
            fleet.create(Types.WORKSPACE, "wb", "{}");
            fleet.cluster("ca", "dev", "{\"workspace\": \"wa\"}");
            fleet.cluster("cb", "qa", "{\"workspace\": \"wb\"}");
            fleet.settings("{\"tokens\": {\"max_live_per_subject\": 1000}}");
            tokens = new TestTokens(fleet);
            tokens.make(ROOT, "person", "lasting", "{\"access\": \"admin\"}");
            Cases.forAll(Cases.scaled(20), random -> {
                start();
                for (int i = 0; i < STEPS; i++) {
                    step(random);
                    known.forEach(this::check);
                }
            });
        }
    }

    private void start() {
        known.forEach(one -> {
            if (fleet.snapshot().document(Types.TOKEN, one.text().id()) != null) {
                tokens.revoke(ROOT, one.text());
            }
        });
        known = new ArrayList<>();
        fleet.snapshot()
                .all(Types.ACCESS_GRANT)
                .values()
                .forEach(grant -> fleet.confirm(delete(Types.ACCESS_GRANT, grant.id())));
        known.add(new Known(
                tokens.make(ROOT, "person", "root", "{\"access\": \"admin\"}"), null, null, null, Instant.MAX));
    }

    private static <T> T any(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }

    /** What a caller may do now, over a small world. */
    private Set<String> abilities(Caller caller) {
        Powers powers = Powers.of(fleet.snapshot(), caller, fleet.now);
        Set<String> all = new HashSet<>();
        for (String type : List.of(Types.CLUSTER, Types.WORKSPACE, Types.ENVIRONMENT, Types.SETTINGS)) {
            for (Document document : fleet.snapshot().all(type).values()) {
                for (Verb verb : Verb.values()) {
                    boolean may = verb == Verb.READ
                            ? powers.sees(document)
                            : powers.refusal(verb, Optional.of(document), Optional.of(document))
                                    .isEmpty();
                    if (may) {
                        all.add(verb + " " + document.key());
                    }
                }
            }
        }
        return all;
    }

    private void step(SplittableRandom random) {
        Known one = any(known, random);
        Caller caller = tokens.holder(one.text()).orElse(ROOT);
        try {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> make(one, caller, random);
                case 4, 5 -> rotate(one, caller, any(known, random), random);
                case 6 -> tokens.revoke(caller, any(known, random).text());
                case 7, 8, 9 ->
                    tokens.grant(
                            random.nextBoolean() ? ROOT : caller,
                            "g" + grants++,
                            any(SUBJECTS, random),
                            any(ROLES, random),
                            any(SCOPES, random));
                case 10 -> {
                    List<Document> all = new ArrayList<>();
                    fleet.snapshot().all(Types.ACCESS_GRANT).values().forEach(all::add);
                    if (!all.isEmpty()) {
                        tokens.write(
                                ROOT,
                                delete(Types.ACCESS_GRANT, any(all, random).id()));
                    }
                }
                default -> {
                    fleet.advance(Duration.ofMinutes(random.nextInt(60)));
                    if (random.nextBoolean()) {
                        new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
                    }
                }
            }
        } catch (ProblemException e) {
            // refused, which is always safe
        }
    }

    private void make(Known maker, Caller caller, SplittableRandom random) {
        boolean byRoot = caller.equals(ROOT);
        String subject = any(SUBJECTS, random);
        Instant end = fleet.now.plus(Duration.ofMinutes(random.nextInt(1, 200)));
        boolean ends = random.nextBoolean();
        Set<String> most = byRoot ? null : abilities(caller);
        int colon = subject.indexOf(':');
        TokenText text = tokens.make(
                caller,
                subject.substring(0, colon),
                subject.substring(colon + 1),
                ends ? "{\"expires_at\": \"" + end + "\"}" : "{}");
        boolean unlimited =
                byRoot || Powers.of(fleet.snapshot(), caller, fleet.now).isPlatformAdmin();
        known.add(new Known(text, byRoot ? null : maker, null, unlimited ? null : most, ends ? end : Instant.MAX));
    }

    private void rotate(Known rotator, Caller caller, Known old, SplittableRandom random) {
        if (tokens.holder(old.text()).isEmpty()) {
            return;
        }
        boolean byRoot = caller.equals(ROOT);
        boolean itself = !byRoot && rotator == old;
        Set<String> most = old.most();
        boolean unlimited =
                byRoot || Powers.of(fleet.snapshot(), caller, fleet.now).isPlatformAdmin();
        if (!itself && !unlimited) {
            most = abilities(caller);
            if (old.most() != null) {
                most.retainAll(old.most());
            }
        }
        TokenText text = tokens.rotate(caller, old.text(), Duration.ofMinutes(random.nextInt(60)));
        Known last = itself ? old.rotator() : byRoot ? null : rotator;
        known.add(new Known(text, old.maker(), last, most, old.end()));
    }

    private void check(Known one) {
        Optional<Caller> caller = tokens.holder(one.text());
        if (caller.isEmpty()) {
            return;
        }
        assertThat(fleet.now).as("past its end").isBefore(one.end());
        for (Known parent :
                Stream.of(one.maker(), one.rotator()).filter(Objects::nonNull).toList()) {
            assertThat(tokens.holder(parent.text())).as("its parent works").isPresent();
        }
        if (one.most() != null) {
            assertThat(one.most()).as("its maker could do this").containsAll(abilities(caller.get()));
        }
    }
}
