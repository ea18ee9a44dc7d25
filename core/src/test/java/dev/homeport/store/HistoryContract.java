package dev.homeport.store;

import static dev.homeport.store.Edit.BOB;
import static dev.homeport.store.Edit.NOW;
import static dev.homeport.store.Edit.body;
import static dev.homeport.store.Edit.cluster;
import static dev.homeport.store.Edit.put;
import static dev.homeport.store.Edit.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Change;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.CommitQuery;
import dev.homeport.change.LogMaintenance.Verified;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One test for each sentence of {@link dev.homeport.change.History} and {@link dev.homeport.change.LogMaintenance}. */
abstract class HistoryContract {
    private Backend backend;
    private SqlStore log;

    abstract Backend fresh();

    @BeforeEach
    void open() {
        backend = fresh();
        log = backend.openWriter();
    }

    @AfterEach
    void close() {
        log.close();
        backend.close();
    }

    @Nested
    class TheCommit {
        @Test
        void comesWithItsChanges() {
            Commit commit = put("a", "{\"n\":1}").on(log);
            put("a", "{\"n\":2}").on(log);
            assertThat(log.commit(1)).hasValueSatisfying(found -> {
                assertThat(found.commit()).isEqualTo(commit);
                assertThat(found.changes())
                        .extracting(RecordedChange::after)
                        .containsExactly(Optional.of(body("{\"n\":1}")));
            });
        }

        @Test
        void isEmptyWhenThereIsNoSuchRevision() {
            put("a", "{}").on(log);
            assertThat(log.commit(0)).isEmpty();
            assertThat(log.commit(2)).isEmpty();
        }
    }

    @Nested
    class TheOutline {
        @Test
        void hasTheKeysAndDigestsOfTheChangesInTheirOrder() {
            put("a", "{\"n\":1}").on(log);
            Commit commit = remove("a").andPut("b", "{\"n\":2}").on(log);
            assertThat(log.outline(2)).hasValueSatisfying(found -> {
                assertThat(found).isEqualTo(log.commit(2).orElseThrow().outline());
                assertThat(found.commit()).isEqualTo(commit);
                assertThat(found.changes()).extracting(ChangeOutline::key).containsExactly(cluster("a"), cluster("b"));
                assertThat(found.changes()).extracting(ChangeOutline::removes).containsExactly(true, false);
                assertThat(found.changes()).extracting(ChangeOutline::creates).containsExactly(false, true);
            });
        }

        @Test
        void isEmptyWhenThereIsNoSuchRevision() {
            put("a", "{}").on(log);
            assertThat(log.outline(0)).isEmpty();
            assertThat(log.outline(2)).isEmpty();
        }
    }

    @Nested
    class ManyDocumentsAt {
        @Test
        void areWhatEachOfThemIsAlone() {
            Edit many = put("c0", "{\"n\":0}");
            for (int i = 1; i < 1_100; i++) {
                many.andPut("c" + i, "{\"n\":" + i + "}");
            }
            many.on(log);
            remove("c1").andPut("c2", "{\"n\":-2}").andPut("later", "{}").on(log);
            List<DocumentKey> keys = new ArrayList<>(List.of(cluster("later"), new DocumentKey("workspace", "w")));
            for (int i = 0; i < 1_100; i++) {
                keys.add(cluster("c" + i));
            }
            for (long revision = 0; revision <= 2; revision++) {
                Map<DocumentKey, Document> found = log.documentsAt(keys, revision);
                assertThat(found).hasSize(revision == 0 ? 0 : 1_100);
                for (DocumentKey key : List.of(cluster("c0"), cluster("c1"), cluster("c2"), cluster("later"))) {
                    assertThat(said(Optional.ofNullable(found.get(key))))
                            .as(key + " at " + revision)
                            .isEqualTo(said(log.documentAt(key, revision)));
                }
            }
        }

        private static String said(Optional<Document> document) {
            return document.map(one -> one.body() + " " + one.created() + " " + one.updated())
                    .orElse("");
        }
    }

    @Nested
    class DocumentAt {
        @Test
        void isTheDocumentAsItWasWhenTheRevisionWasTheHead() {
            put("a", "{\"n\":1}").on(log);
            put("b", "{}").on(log);
            put("a", "{\"n\":3}").on(log);
            assertThat(bodyAt(1)).isEqualTo("{\"n\":1}");
            assertThat(bodyAt(2)).isEqualTo("{\"n\":1}");
            assertThat(bodyAt(3)).isEqualTo("{\"n\":3}");
            assertThat(bodyAt(99)).isEqualTo("{\"n\":3}");
        }

        @Test
        void isEmptyWhenItDidNotExistThen() {
            put("b", "{}").on(log);
            put("a", "{}").on(log);
            remove("a").on(log);
            assertThat(log.documentAt(cluster("a"), 1)).isEmpty();
            assertThat(log.documentAt(cluster("a"), 2)).isPresent();
            assertThat(log.documentAt(cluster("a"), 3)).isEmpty();
            assertThat(log.documentAt(cluster("never"), 3)).isEmpty();
        }

        @Test
        void itsStampsAreThoseOfTheCommitsThatMadeItAndLastChangedItAtThatTime() {
            Commit made = put("a", "{\"n\":1}").because("made").on(log);
            Commit changed = put("a", "{\"n\":2}").by(BOB).because("changed").on(log);
            put("a", "{\"n\":3}").on(log);
            assertThat(log.documentAt(cluster("a"), 2)).hasValueSatisfying(document -> {
                assertThat(document.created()).isEqualTo(made.stamp());
                assertThat(document.updated()).isEqualTo(changed.stamp());
            });
        }

        @Test
        void aDocumentRemovedAndMadeAgainIsMadeAnew() {
            put("a", "{\"n\":1}").on(log);
            remove("a").on(log);
            Commit anew = put("a", "{\"n\":1}").on(log);
            put("a", "{\"n\":4}").on(log);
            assertThat(log.documentAt(cluster("a"), 1).orElseThrow().created().revision())
                    .isEqualTo(1);
            assertThat(log.documentAt(cluster("a"), 4).orElseThrow().created()).isEqualTo(anew.stamp());
            List<Document> current = new ArrayList<>();
            log.load(current::add);
            assertThat(current).singleElement().extracting(Document::created).isEqualTo(anew.stamp());
        }

        @Test
        void aPayloadThatDoesNotMatchItsDigestIsBroken() {
            put("a", "{\"n\":1}").on(log);
            backend.tamper("UPDATE changes SET payload = '{\"n\":2}'");
            assertThat(log.documentAt(cluster("a"), 1).orElseThrow().fault()).isPresent();
        }

        private String bodyAt(long revision) {
            return log.documentAt(cluster("a"), revision).orElseThrow().body().toString();
        }
    }

    @Nested
    class DocumentsAt {
        @Test
        void areAllDocumentsOfATypeAsTheyWereOrderedById() {
            put("b", "{\"n\":1}").andPut("a", "{\"n\":1}").on(log);
            put("c", "{}")
                    .and(new Change.Put(new DocumentKey("workspace", "w"), body("{}")))
                    .on(log);
            remove("b").andPut("a", "{\"n\":3}").on(log);
            assertThat(at(0)).isEmpty();
            assertThat(at(1)).containsExactly("a {\"n\":1} 1 1", "b {\"n\":1} 1 1");
            assertThat(at(2)).containsExactly("a {\"n\":1} 1 1", "b {\"n\":1} 1 1", "c {} 2 2");
            assertThat(at(3)).containsExactly("a {\"n\":3} 1 3", "c {} 2 2");
        }

        private List<String> at(long revision) {
            return log.documentsAt("cluster", revision).stream()
                    .map(document -> document.id() + " " + document.body() + " "
                            + document.created().revision() + " "
                            + document.updated().revision())
                    .toList();
        }
    }

    @Nested
    class CommitsOf {
        @Test
        void areThoseThatChangedTheDocumentNewestFirstBelowAtMostLimit() {
            put("a", "{\"n\":1}").on(log);
            put("b", "{}").on(log);
            put("a", "{\"n\":3}").on(log);
            remove("a").on(log);
            assertThat(revisions(Long.MAX_VALUE, 10)).containsExactly(4L, 3L, 1L);
            assertThat(revisions(4, 10)).containsExactly(3L, 1L);
            assertThat(revisions(5, 2)).containsExactly(4L, 3L);
            assertThat(revisions(1, 10)).isEmpty();
        }

        private List<Long> revisions(long below, int limit) {
            return log.commitsOf(cluster("a"), below, limit).stream()
                    .map(Commit::revision)
                    .toList();
        }
    }

    @Nested
    class RevisionAt {
        @Test
        void isTheLastRevisionWhoseCommitIsNotAfterTheTime() {
            put("a", "{}").at(NOW).on(log);
            put("a", "{}").at(NOW.plusSeconds(10)).on(log);
            assertThat(log.revisionAt(NOW)).isEqualTo(1);
            assertThat(log.revisionAt(NOW.plusSeconds(10).minusNanos(1))).isEqualTo(1);
            assertThat(log.revisionAt(NOW.plusSeconds(10))).isEqualTo(2);
            assertThat(log.revisionAt(Instant.MAX)).isEqualTo(2);
        }

        @Test
        void isZeroWhenTheLogStartsLater() {
            assertThat(log.revisionAt(NOW)).isZero();
            put("a", "{}").at(NOW).on(log);
            assertThat(log.revisionAt(NOW.minusNanos(1))).isZero();
            assertThat(log.revisionAt(Instant.MIN)).isZero();
        }
    }

    @Nested
    class Commits {
        @BeforeEach
        void someHistory() {
            put("a", "{\"n\":1}").because("First, 100%").on(log);
            put("b", "{\"n\":1}")
                    .by(BOB)
                    .because("second")
                    .at(NOW.plusSeconds(10))
                    .on(log);
            put("a", "{\"n\":2}")
                    .and(new Change.Put(new DocumentKey("namespace", "a"), body("{}")))
                    .at(NOW.plusSeconds(20))
                    .on(log);
            remove("b").by(BOB).at(NOW.plusSeconds(30)).on(log);
        }

        private List<Long> found(CommitQuery query) {
            return log.commits(query).stream().map(Commit::revision).toList();
        }

        @Test
        void areNewestFirstAndAtMostTheLimit() {
            assertThat(found(CommitQuery.newest(100))).containsExactly(4L, 3L, 2L, 1L);
            assertThat(found(CommitQuery.newest(2))).containsExactly(4L, 3L);
            assertThat(log.commits(CommitQuery.newest(1)).getFirst())
                    .isEqualTo(log.commit(4).orElseThrow().commit());
        }

        @Test
        void goOnBelowARevisionWhateverWasCommittedMeanwhile() {
            put("c", "{}").on(log);
            assertThat(found(CommitQuery.newest(2).below(3))).containsExactly(2L, 1L);
        }

        @Test
        void areThoseOfTheActor() {
            assertThat(found(CommitQuery.newest(9).by("person:bob"))).containsExactly(4L, 2L);
            assertThat(found(CommitQuery.newest(9).by("bob"))).isEmpty();
        }

        @Test
        void areNotBeforeSinceAndBeforeUntil() {
            Optional<Instant> second = Optional.of(NOW.plusSeconds(10));
            assertThat(found(CommitQuery.newest(9).between(second, Optional.empty())))
                    .containsExactly(4L, 3L, 2L);
            assertThat(found(CommitQuery.newest(9).between(Optional.empty(), second)))
                    .containsExactly(1L);
            assertThat(found(CommitQuery.newest(9).between(second, Optional.of(NOW.plusSeconds(20)))))
                    .containsExactly(2L);
        }

        @Test
        void areThoseThatChangedATypeOrADocument() {
            assertThat(found(CommitQuery.newest(9).changing(Set.of("namespace"), Optional.empty())))
                    .containsExactly(3L);
            assertThat(found(CommitQuery.newest(9).changing(Set.of("cluster"), Optional.of("b"))))
                    .containsExactly(4L, 2L);
            assertThat(found(CommitQuery.newest(9).changing(Set.of("cluster", "namespace"), Optional.of("a"))))
                    .containsExactly(3L, 1L);
            assertThat(found(CommitQuery.newest(9).changing(Set.of(), Optional.of("b"))))
                    .containsExactly(4L, 2L);
            assertThat(found(CommitQuery.newest(9).changing(Set.of("namespace"), Optional.of("b"))))
                    .isEmpty();
        }

        @Test
        void areThoseWithATextInReasonActorOrId() {
            assertThat(found(CommitQuery.newest(9).with("FIRST"))).containsExactly(1L);
            assertThat(found(CommitQuery.newest(9).with("100%"))).containsExactly(1L);
            assertThat(found(CommitQuery.newest(9).with("_"))).isEmpty();
            assertThat(found(CommitQuery.newest(9).with("n:BOB"))).containsExactly(4L, 2L);
            put("very-special", "{}").on(log);
            assertThat(found(CommitQuery.newest(9).with("special"))).containsExactly(5L);
        }
    }

    @Nested
    class Verify {
        @BeforeEach
        void someHistory() {
            put("a", "{\"n\":1}").andPut("b", "{\"n\":1}").on(log);
            put("a", "{\"n\":2}").on(log);
            remove("b").on(log);
            put("b", "{\"n\":4}").on(log);
        }

        @Test
        void walksTheWholeChainAndTellsItsProgress() {
            List<Long> progress = new ArrayList<>();
            assertThat(log.verify(progress::add)).isEqualTo(new Verified(4, 5, 2, 0));
            assertThat(progress).containsExactly(1L, 2L, 3L, 4L);
        }

        @Test
        void anEmptyLogVerifies() {
            try (Backend other = fresh();
                    SqlStore empty = other.openWriter()) {
                assertThat(empty.verify(revision -> {})).isEqualTo(new Verified(0, 0, 0, 0));
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "DELETE FROM commits WHERE revision = 2",
                    "DELETE FROM commits WHERE revision = 4",
                    "UPDATE commits SET reason = 'other' WHERE revision = 2",
                    "UPDATE commits SET actor = 'person:eve' WHERE revision = 1",
                    "UPDATE commits SET marks = '{\"a\":\"b\"}' WHERE revision = 1",
                    "UPDATE commits SET hash = previous_hash WHERE revision = 4",
                    "UPDATE commits SET previous_hash = hash WHERE revision = 2",
                    "UPDATE commits SET time = time - 5 WHERE revision = 3",
                    "UPDATE commits SET change_count = 3 WHERE revision = 1",
                    "DELETE FROM changes WHERE revision = 1 AND ordinal = 0",
                    "DELETE FROM changes WHERE revision = 1 AND ordinal = 1",
                    "UPDATE changes SET payload = '{\"n\":9}' WHERE revision = 2",
                    "UPDATE changes SET payload = NULL WHERE revision = 2",
                    "UPDATE changes SET payload_digest = '' WHERE revision = 2",
                    "UPDATE changes SET before_digest = '' WHERE revision = 2",
                    "UPDATE changes SET id = 'z' WHERE revision = 2",
                    "UPDATE documents SET body = '{\"n\":9}' WHERE id = 'a'",
                    "UPDATE documents SET revision = 1 WHERE id = 'a'",
                    "UPDATE documents SET created_revision = 1 WHERE id = 'b'",
                    "UPDATE documents SET id = 'c' WHERE id = 'a'",
                    "DELETE FROM documents WHERE id = 'a'",
                    "DELETE FROM documents WHERE id = 'b'",
                    "INSERT INTO documents SELECT type, 'z', revision, created_revision, body, payload_digest FROM documents",
                    "UPDATE type_state SET documents = 3",
                    "UPDATE type_state SET fingerprint = '00000000000000000000000000000000'",
                    "UPDATE head SET revision = 3",
                    "UPDATE head SET hash = '0000'"
                })
        void throwsAtWhateverIsWrong(String tampering) {
            backend.tamper(tampering.startsWith("INSERT INTO documents") ? tampering + " WHERE id = 'a'" : tampering);
            assertThatThrownBy(() -> log.verify(revision -> {})).isInstanceOf(StoreCorrupt.class);
        }

        @Test
        void timesMustRise() {
            backend.tamper("UPDATE commits SET time = time - 1000000 WHERE revision = 3");
            assertThatThrownBy(() -> log.verify(revision -> {})).hasMessageContaining("later");
        }
    }

    @Nested
    class Redact {
        @Test
        void blanksTheValueAndTheChainStillVerifies() {
            put("a", "{\"patches\":{\"p.q/r\":\"s3cret\"},\"list\":[\"x\",\"s3cret\"]}")
                    .on(log);
            put("a", "{}").on(log);
            Edit.redact(log, 1, cluster("a"), "/patches/p.q~1r");
            Edit.redact(log, 1, cluster("a"), "/list/1");
            assertThat(log.documentAt(cluster("a"), 1).orElseThrow().body())
                    .isEqualTo(body("{\"patches\":{\"p.q/r\":\"[redacted]\"},\"list\":[\"x\",\"[redacted]\"]}"));
            assertThat(log.verify(revision -> {})).isEqualTo(new Verified(4, 4, 2, 1));
            log.load(document -> {});
        }

        @Test
        void leavesDigestsAloneAndSetsTheFlag() {
            put("a", "{\"x\":\"s3cret\"}").on(log);
            remove("a").on(log);
            Edit.redact(log, 1, cluster("a"), "/x");
            RecordedChange change = log.after(0, 1).getFirst().changes().getFirst();
            assertThat(change.redacted()).isTrue();
            assertThat(change.payloadDigest())
                    .isEqualTo(CommitHash.ofPayload(body("{\"x\":\"s3cret\"}").canonicalBytes()));
        }

        @Test
        void leavesACommitThatSaysWhichValueAndWhoAndWhy() {
            put("a", "{\"x\":\"s3cret\"}").on(log);
            remove("a").on(log);
            Commit audit = Edit.redact(log, 1, cluster("a"), "/x");
            assertThat(log.head().revision()).isEqualTo(3);
            assertThat(log.commit(3).orElseThrow().commit()).isEqualTo(audit);
            assertThat(audit.actor()).isEqualTo(Edit.BOB);
            assertThat(audit.reason()).isEqualTo("a secret slipped in");
            assertThat(audit.marks()).containsEntry("redacted", "revision 1 cluster/a /x");
        }

        @Test
        void blanksTheTextsOfACommitAndTheChainStillVerifies() {
            put("a", "{}")
                    .because("s3cret")
                    .marked(Map.of("note", "s3cret too"))
                    .on(log);
            put("a", "{\"n\":1}").on(log);
            String hash = log.commit(1).orElseThrow().commit().hash();
            for (String pointer : List.of("/reason", "/marks/note", "/actor")) {
                Edit.redactCommit(log, 1, pointer);
                assertThat(log.after(0, 10)).allMatch(RecordedCommit::isGenuine);
                log.verify(revision -> {});
            }
            Commit blanked = log.commit(1).orElseThrow().commit();
            assertThat(blanked.toString()).doesNotContain("s3cret").doesNotContain("alice");
            assertThat(blanked.hash()).isEqualTo(hash);
            assertThat(log.documentAt(cluster("a"), 1).orElseThrow().updated().reason())
                    .isEqualTo("[redacted]");
            assertThat(log.verify(revision -> {}).redacted()).isEqualTo(1);
            log.load(document -> {});
        }

        @Test
        void aCommitThatIsChangedAfterItsRedactionIsNoticed() {
            put("a", "{}").because("s3cret").on(log);
            put("a", "{\"n\":1}").on(log);
            Edit.redactCommit(log, 1, "/reason");
            backend.tamper("UPDATE commits SET reason = 'another' WHERE revision = 1");
            assertThat(log.commit(1).orElseThrow().isGenuine()).isFalse();
            assertThatThrownBy(() -> log.verify(revision -> {})).isInstanceOf(StoreCorrupt.class);
        }

        @Test
        void aMarkAloneMakesNoRedaction() {
            put("a", "{}").on(log);
            put("a", "{\"n\":1}").on(log);
            backend.tamper("UPDATE commits SET reason = 'another', marks = '{\"redacted_header\":\"true\"}' WHERE"
                    + " revision = 1");
            assertThat(log.commit(1).orElseThrow().isGenuine()).isFalse();
            assertThatThrownBy(() -> log.verify(revision -> {})).isInstanceOf(StoreCorrupt.class);
        }

        @ParameterizedTest
        @ValueSource(strings = {"/marks/none", "/at", "reason", "", "/hash"})
        void isRefusedForWhatIsNoTextOfACommit(String pointer) {
            put("a", "{}").on(log);
            assertThatIllegalStateException().isThrownBy(() -> Edit.redactCommit(log, 1, pointer));
            assertThatIllegalStateException().isThrownBy(() -> Edit.redactCommit(log, 7, "/reason"));
            assertThat(log.head().revision()).isEqualTo(1);
        }

        @Test
        void isRefusedWhileTheChangeIsTheCurrentVersion() {
            put("a", "{\"x\":\"s3cret\"}").on(log);
            assertThatIllegalStateException().isThrownBy(() -> Edit.redact(log, 1, cluster("a"), "/x"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"/y", "/x/deeper", "", "no pointer", "/list/7", "/list/z"})
        void isRefusedWhenThereIsNoValueAtThePointer(String pointer) {
            put("a", "{\"x\":\"s3cret\",\"list\":[1]}").on(log);
            put("a", "{}").on(log);
            assertThatIllegalStateException().isThrownBy(() -> Edit.redact(log, 1, cluster("a"), pointer));
            assertThat(log.verify(revision -> {}).redacted()).isZero();
        }

        @Test
        void isRefusedWhenTheRevisionDidNotChangeOrRemovedTheDocument() {
            put("a", "{}").on(log);
            put("b", "{}").on(log);
            remove("a").on(log);
            put("a", "{}").on(log);
            assertThatIllegalStateException().isThrownBy(() -> Edit.redact(log, 2, cluster("a"), "/x"));
            assertThatIllegalStateException().isThrownBy(() -> Edit.redact(log, 3, cluster("a"), "/x"));
            assertThatIllegalStateException().isThrownBy(() -> Edit.redact(log, 9, cluster("a"), "/x"));
        }
    }

    @Nested
    class RaiseEpoch {
        @Test
        void returnsTheNewEpochWhichHeadAndLaterCommitsCarry() {
            put("a", "{}").on(log);
            assertThat(log.raiseEpoch()).isEqualTo(2);
            assertThat(log.head().epoch()).isEqualTo(2);
            Commit later = put("a", "{\"n\":1}").on(log);
            assertThat(later.epoch()).isEqualTo(2);
            assertThat(later.revision()).isEqualTo(2);
            assertThat(log.commit(1).orElseThrow().commit().epoch()).isEqualTo(1);
            log.verify(revision -> {});
        }
    }
}
