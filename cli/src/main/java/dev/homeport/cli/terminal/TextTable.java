package dev.homeport.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Columns with two spaces between them. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    public void row(List<String> cells) {
        rows.add(cells.stream().map(SafeText::line).toList());
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Lines without trailing spaces. */
    public List<String> lines() {
        return lines(new ArrayList<>());
    }

    /** @param widths what earlier lines needed; grows, so that rows that come later stand below them */
    public List<String> lines(List<Integer> widths) {
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                int width = width(row.get(i));
                if (i == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(i, Math.max(widths.get(i), width));
                }
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).append(" ".repeat(widths.get(i) - width(row.get(i)) + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        rows.clear();
        return lines;
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
