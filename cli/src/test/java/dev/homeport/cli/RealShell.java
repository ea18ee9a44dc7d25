package dev.homeport.cli;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A shell that people use: the one that is installed, or else that of the packages. Without either the test is skipped and
 * says so.
 *
 * @param root where packages were unpacked; empty for an installed shell
 */
record RealShell(Path program, Optional<Path> root) {
    private static final Map<String, List<String>> PACKAGES = Map.of(
            "zsh", List.of("zsh", "zsh-common", "libcap2"),
            "fish", List.of("fish", "fish-common", "libpcre2-32-0"));

    static RealShell named(String name) throws IOException, InterruptedException {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            Path program = Path.of(folder, name);
            if (Files.isExecutable(program)) {
                return new RealShell(program, Optional.empty());
            }
        }
        Path root = UnpackedPackages.of(name, PACKAGES.get(name));
        for (String place : List.of("usr/bin", "bin")) {
            if (Files.isExecutable(root.resolve(place).resolve(name))) {
                return new RealShell(root.resolve(place).resolve(name), Optional.of(root));
            }
        }
        return abort(name + " is not installed and its packages could not be got: apt install " + name);
    }

    /** Libraries that came along, and nothing of the user's. */
    ProcessBuilder process(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        root.ifPresent(tree -> builder.environment().put("LD_LIBRARY_PATH", UnpackedPackages.libraries(tree)));
        builder.environment().put("TERM", "dumb");
        return builder;
    }

    /** What an unpacked zsh needs to find its functions. */
    String zshFindsItself() throws IOException {
        if (root.isEmpty()) {
            return "";
        }
        try (Stream<Path> modules = Files.find(
                        root.get().resolve("usr/lib"),
                        3,
                        (path, what) -> what.isDirectory() && path.getParent().endsWith("zsh"));
                Stream<Path> functions = Files.walk(root.get().resolve("usr/share/zsh/functions"))) {
            return "module_path=(" + modules.findFirst().orElseThrow() + ")\nfpath=("
                    + String.join(
                            " ",
                            functions
                                    .filter(Files::isDirectory)
                                    .map(Path::toString)
                                    .toList())
                    + ")\n";
        }
    }
}
