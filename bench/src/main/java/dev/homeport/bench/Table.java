package dev.homeport.bench;

import java.util.ArrayList;
import java.util.List;

/** Lines up rows of text in columns. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... heading) {
        rows.add(List.of(heading));
    }

    public void row(Object... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells in a table of "
                    + rows.getFirst().size());
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell).repeat(' ', width(column) - cell.length() + 2);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
