package dev.homeport.cli.output;

import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import java.io.PrintStream;
import java.util.List;

/** Differences for eyes: what it is about, and each field before and after. */
public final class DiffText {
    private final PrintStream out;
    private final Style style;

    public DiffText(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    public void added(String what) {
        out.println(style.green("+ " + SafeText.line(what)));
    }

    public void removed(String what) {
        out.println(style.red("- " + SafeText.line(what)));
    }

    public void changed(String what, List<JsonDiff.Difference> differences) {
        out.println("~ " + SafeText.line(what));
        fields(differences);
    }

    public void fields(List<JsonDiff.Difference> differences) {
        for (JsonDiff.Difference one : differences) {
            if (!one.before().isEmpty()) {
                out.println(style.red("  - " + SafeText.line(one.path() + ": " + one.before())));
            }
            if (!one.after().isEmpty()) {
                out.println(style.green("  + " + SafeText.line(one.path() + ": " + one.after())));
            }
        }
    }
}
