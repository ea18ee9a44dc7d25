package dev.homeport.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.homeport.api.ErrorCode;
import dev.homeport.fleet.Answer;
import dev.homeport.problem.ProblemException;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test a new fleet on SQLite, and a few words that tests about fleets share. */
public abstract class FleetTest {
    protected static final String COMPONENTS = "platform-components";
    protected static final String GRAFANA = "{\"platform_components\": [{\"id\": \"grafana\"}]}";

    @TempDir
    protected Path directory;

    protected TestFleet fleet;

    @BeforeEach
    void openFleet() {
        fleet = TestFleet.sqlite(directory);
    }

    @AfterEach
    void closeFleet() {
        fleet.close();
    }

    /** Stops and starts again, from what the store holds. */
    protected void restart() {
        TestFleet old = fleet;
        old.close();
        fleet = TestFleet.sqlite(directory);
        fleet.now = old.now;
        fleet.contact.polled.addAll(old.contact.polled);
        fleet.contact.drained.addAll(old.contact.drained);
    }

    /** Damages the stored body of a document behind the store's back, and starts again. */
    protected void damage(String type, String id) {
        fleet.close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("homeport.db"));
                PreparedStatement statement = connection.prepareStatement(
                        "UPDATE documents SET body = replace(body, '{', '{ ') WHERE type = ? AND id = ?")) {
            statement.setString(1, type);
            statement.setString(2, id);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        restart();
    }

    protected static ProblemException refused(ErrorCode code, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(ProblemException.class);
        ProblemException problem = (ProblemException) thrown;
        assertThat(problem.problem().code()).as(problem.getMessage()).isEqualTo(code);
        return problem;
    }

    protected Outcome.Committed committed(Operation... operations) {
        return (Outcome.Committed) fleet.write(operations);
    }

    /** The items that a cluster is served enabled, joined by blanks. */
    protected String served(String cluster, String plural) {
        Answer answer = fleet.answer(cluster, plural);
        assertThat(answer).isInstanceOf(Answer.Served.class);
        return String.join(
                " ",
                ((Answer.Served) answer)
                        .items().stream()
                                .filter(item -> item.enabled())
                                .map(item -> item.id())
                                .toList());
    }
}
