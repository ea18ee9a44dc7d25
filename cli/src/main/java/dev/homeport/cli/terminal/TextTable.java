package dev.homeport.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Columns with two spaces between them. */
public final class TextTable {
    private static final int LEAST = 12;
    private static final int AGE = 4;
    private static final String BELOW = "    ";

    private final List<List<String>> rows = new ArrayList<>();

    public void row(List<String> cells) {
        rows.add(cells.stream().map(SafeText::line).toList());
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Cuts cells of the columns that may be cut, so that lines fit into a terminal as far as that goes. */
    public void narrow(List<Boolean> mayBeCut, int terminal) {
        int[] widths = new int[mayBeCut.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        });
        int last = widths.length - 1;
        widths[last] = Math.max(widths[last], AGE); // so that where a cell is cut does not change from minute to minute
        int over = Arrays.stream(widths).sum() + 2 * last - terminal;
        for (int i = last; i >= 0 && over > 0; i--) {
            int most = Math.max(LEAST, widths[i] - over);
            if (mayBeCut.get(i) && most < widths[i]) {
                over -= widths[i] - most;
                int column = i;
                rows.replaceAll(row -> cut(row, column, most));
            }
        }
    }

    private static List<String> cut(List<String> row, int column, int most) {
        String cell = row.get(column);
        if (width(cell) <= most) {
            return row;
        }
        List<String> shorter = new ArrayList<>(row);
        shorter.set(column, cell.substring(0, cell.offsetByCodePoints(0, most - 1)) + "…");
        return shorter;
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

    /** Lines if they fit into a terminal; else the cells of a row go on below it, so that nothing is cut off. */
    public List<String> folded(int terminal) {
        List<List<String>> cells = List.copyOf(rows);
        List<String> lines = lines();
        if (lines.stream().allMatch(line -> width(line) <= terminal)) {
            return lines;
        }
        List<String> folded = new ArrayList<>();
        cells.forEach(row -> folded.addAll(folded(row, terminal)));
        return folded;
    }

    private static List<String> folded(List<String> row, int terminal) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String cell : row) {
            if (cell.isEmpty()) {
                continue;
            }
            if (line.isEmpty()) {
                line = cell;
            } else if (width(line) + 2 + width(cell) <= terminal) {
                line += "  " + cell;
            } else {
                lines.add(line);
                line = BELOW + cell;
            }
            while (width(line) > terminal) {
                int end = line.offsetByCodePoints(0, terminal);
                int space = line.lastIndexOf(' ', end);
                int cut = space > BELOW.length() ? space : end;
                lines.add(line.substring(0, cut).stripTrailing());
                line = BELOW + line.substring(cut).strip();
            }
        }
        lines.add(line);
        return lines;
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
