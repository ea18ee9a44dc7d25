package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever a page links to is there. */
class LinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?s)```.*?```");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (String link : LINK.matcher(text(page))
                    .results()
                    .map(found -> found.group(1))
                    .filter(found -> !found.startsWith("https://"))
                    .toList()) {
                links++;
                if (!leadsSomewhere(page, link)) {
                    dead.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).as("links that were looked at").isGreaterThan(50);
    }

    @Test
    void everyPageOfTheHowtosIsInTheirIndex() throws IOException {
        Path folder = ROOT.resolve("docs/howto");
        String index = text(folder.resolve("README.md"));
        assertThat(pages())
                .filteredOn(page -> page.startsWith(folder) && !page.endsWith("README.md"))
                .isNotEmpty()
                .allSatisfy(page -> assertThat(index).contains("(" + page.getFileName() + ")"));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(file -> file.toString().endsWith(".md")))
                    .toList();
        }
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(text(page))
                .results()
                .map(heading -> heading.group(1)
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String text(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page)).replaceAll("");
    }
}
