package dev.homeport.cli.output;

import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;

/** CSV by RFC 4180. */
public final class CsvText {
    private CsvText() {}

    public static String line(List<String> cells) {
        return String.join(",", cells.stream().map(CsvText::cell).toList());
    }

    /** A spreadsheet would run a cell that begins like a formula, so those get an apostrophe in front. */
    private static String cell(String text) {
        boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 && !text.matches("[-+]?[0-9.]+");
        String safe = formula ? "'" + text : text;
        return safe.matches("(?s).*[\",\r\n].*") ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }

    /** A row and the line of the file that it begins in. */
    public record Row(int line, List<String> cells) {}

    /** Rows that are not empty. */
    public static List<Row> read(String text) {
        List<Row> rows = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        int line = 1;
        int begin = 1;
        String all = text.startsWith("\uFEFF") ? text.substring(1) : text;
        for (int i = 0; i < all.length(); i++) {
            char c = all.charAt(i);
            if (quoted) {
                if (c == '"' && i + 1 < all.length() && all.charAt(i + 1) == '"') {
                    cell.append('"');
                    i++;
                } else if (c == '"') {
                    quoted = false;
                } else {
                    cell.append(c);
                }
            } else if (c == '"' && cell.isEmpty()) {
                quoted = true;
            } else if (c == ',') {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else if (c == '\n') {
                cells.add(cell.toString().strip());
                cell.setLength(0);
                add(rows, begin, cells);
                cells = new ArrayList<>();
                begin = line + 1;
            } else if (c != '\r') {
                cell.append(c);
            }
            line += c == '\n' ? 1 : 0;
        }
        if (quoted) {
            throw new UsageProblem("the quotes that begin in line " + begin + " do not end");
        }
        cells.add(cell.toString().strip());
        add(rows, begin, cells);
        return rows;
    }

    private static void add(List<Row> rows, int line, List<String> cells) {
        if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
            rows.add(new Row(line, cells));
        }
    }
}
