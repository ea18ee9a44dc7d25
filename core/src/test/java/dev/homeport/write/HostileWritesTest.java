package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.HostileDocuments;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.support.TestFleet;
import dev.homeport.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every hostile document through the one way in: refused at the same place, and nothing is written. */
@Requirement("B22")
class HostileWritesTest {
    @TempDir
    static Path directory;

    private static TestFleet fleet;

    @BeforeAll
    static void open() {
        fleet = TestFleet.sqlite(directory);
        fleet.write(new Operation.Put(
                new DocumentKey(
                        Types.TYPE, HostileDocuments.sound(Types.TYPE).get("id").stringValue()),
                HostileDocuments.sound(Types.TYPE)));
    }

    @AfterAll
    static void close() {
        fleet.close();
    }

    static List<HostileDocuments.Case> hostile() {
        // A body without an id gets the one it is written under.
        return HostileDocuments.all().stream()
                .filter(hostile -> !hostile.name().endsWith(": id missing"))
                .filter(hostile -> fleet.snapshot()
                        .types()
                        .named(hostile.type())
                        .filter(type -> type.part() != TypeDefinition.Part.INTERNAL)
                        .isPresent())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void isRefusedAndNothingIsWritten(HostileDocuments.Case hostile) {
        long head = fleet.store.head().revision();
        DocumentKey key = new DocumentKey(hostile.type(), hostile.id());
        Throwable thrown = catchThrowable(() -> fleet.writer.write(
                WriteRequest.of(ALICE, "hostile", new Operation.Put(key, StrictJson.parseObject(hostile.rawBytes())))));
        assertThat(thrown).isInstanceOf(ProblemException.class);
        List<Violation> found = switch (((ProblemException) thrown).problem()) {
            case Problem.Invalid invalid -> invalid.violations();
            case Problem.Refused refused -> List.of(new Violation("", refused.detail(), refused.next()));
        };
        assertThat(found)
                .as(thrown.getMessage())
                .anyMatch(violation -> violation.pointer().equals(hostile.expectedPointer())
                        && violation.detail().contains(hostile.expectedWord()));
        assertThat(fleet.store.head().revision()).isEqualTo(head);
    }
}
