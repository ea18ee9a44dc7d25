package dev.homeport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What cannot be simulated is said in a line. */
class SimulateCommandTest {
    @TempDir
    Path folder;

    @Test
    void whatIsWrongIsSaidInALine() throws Exception {
        String token = Files.writeString(folder.resolve("token"), "hpp_x").toString();
        String garbage = Files.writeString(folder.resolve("garbage"), "{").toString();
        refused("cannot be read", "--token-file", folder.resolve("none").toString());
        refused("--poll-url is an address", "--token-file", token, "--poll-url", "homeport");
        refused("--server is an address", "--token-file", token, "--server", "//homeport");
        refused("--clusters must be at least 1", "--token-file", token, "--clusters", "0");
        refused("--rate is a number", "--token-file", token, "--rate", "NaN");
        refused("--for is a time", "--token-file", token, "--for", "0");
        refused("is not a time", "--token-file", token, "--poll", "soon");
        refused("--shape is sets or flat", "--token-file", token, "--shape", "round", "--identities", garbage);
        refused("is not a list of clusters", "--token-file", token, "--identities", garbage);
        refused("cannot be read", "--token-file", token, "--certificate-authority", garbage + ".pem");
    }

    private static void refused(String why, String... words) {
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(words));
        int exit = new CommandLine(new SimulateCommand())
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        assertThat(err.toString()).contains(why).doesNotContain("Exception").hasLineCount(1);
        assertThat(exit).isEqualTo(2);
    }
}
