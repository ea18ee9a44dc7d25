package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record that cannot be read is repaired by a command that shows its plan first. */
class RepairCommandTest {
    @TempDir
    Path folder;

    @Test
    void aDamagedRecordIsRepairedOnceThePlanIsConfirmed() throws Exception {
        String token;
        String before;
        try (Cli cli = new Cli(folder).signedIn()) {
            token = cli.server.firstToken().orElseThrow();
            cli.run("adopt", "eu-1", "--env", "dev", "--owner", "team-a").ok();
            before = cli.run("payload", "eu-1", "--resource", "namespaces").ok().out();
            Cli.Ran sound = cli.run("repair", "eu-1", "--yes");
            assertThat(sound.exit()).isNotZero();
            assertThat(sound.err()).contains("the record of cluster/eu-1 can be read");
        }
        try (Cli cli = Cli.withDamagedRecord(folder, "eu-1", token)) {
            assertThat(isHeld(cli)).isTrue();
            Cli.Ran planned = cli.run("repair", "cluster/eu-1", "--dry-run").ok();
            assertThat(planned.out() + planned.err()).contains("as the log has it");
            assertThat(isHeld(cli)).isTrue();
            // No person is present to confirm it.
            assertThat(cli.run("repair", "eu-1").exit()).isNotZero();
            assertThat(cli.atTerminal("n\n", "repair", "eu-1").exit()).isNotZero();
            assertThat(isHeld(cli)).isTrue();

            cli.run("repair", "cluster/eu-1", "--yes").ok();
            assertThat(cli.run("payload", "eu-1", "--resource", "namespaces")
                            .ok()
                            .out())
                    .isEqualTo(before);
        }
    }

    private static boolean isHeld(Cli cli) {
        return cli.run("payload", "eu-1", "--resource", "namespaces").err().contains("the answer is held");
    }
}
