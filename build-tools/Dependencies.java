import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Prints the age of each dependency, and fails when a version is not in build-tools/dependencies.tsv or when a library, direct or
 * not, is on the list of vulnerable ones, build-tools/known-vulnerable.tsv: java Dependencies.java ROOT [TODAY [SBOM]]. Both
 * lists are kept by hand. With an SBOM every library of the built modules must be in it.
 */
public final class Dependencies {
    private static final List<String> MODULES = List.of("testing", "api", "core", "server", "cli", "bench", "e2e");

    /** What is shipped: these modules have their libraries beside them once they are built. */
    private static final List<String> SHIPPED = List.of("server", "cli");

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([a-z0-9-]+)\\.version}");
    private static final Pattern JAR =
            Pattern.compile("(.+?)-([0-9][A-Za-z0-9.]*?(?:-alpha[0-9]*|-SNAPSHOT)?)(?:-[a-z]+-[a-z0-9_]+)?\\.jar");

    /**
     * A library in one version, and where it was found.
     *
     * @param packed whether it is inside the jar of another one
     */
    private record Library(String group, String artifact, String version, String place, boolean packed) {
        @Override
        public String toString() {
            return (group.isEmpty() ? "" : group + ":") + artifact + " " + version + " (" + place + ")";
        }
    }

    /** @param date empty when unknown */
    private record Release(String version, Optional<LocalDate> date) {}

    /** @param ranges such as {@code [4.2.0,4.2.13)}, several with blanks between */
    private record Vulnerable(String library, String ranges, String fixed, String id, String source) {
        boolean concerns(Library one) {
            String[] name = library.split(":", -1);
            if (one.artifact().endsWith("-bom")) { // which gives its version to everything of its group
                return name[0].startsWith(one.group()) && isAffected(one.version());
            }
            boolean named = (one.group().isEmpty() || name[0].equals(one.group()))
                    && (name[1].equals("*") ? !one.group().isEmpty() : name[1].equals(one.artifact()));
            return named && isAffected(one.version());
        }

        private boolean isAffected(String version) {
            return Stream.of(ranges.split(" ", -1)).anyMatch(range -> holds(range, version));
        }

        private static boolean holds(String range, String version) {
            int comma = range.indexOf(',');
            String least = range.substring(1, comma);
            String most = range.substring(comma + 1, range.length() - 1);
            boolean fromLeast = range.startsWith("[") ? compare(version, least) >= 0 : compare(version, least) > 0;
            boolean toMost = range.endsWith("]") ? compare(version, most) <= 0 : compare(version, most) < 0;
            return fromLeast && toMost;
        }
    }

    private final Path root;
    private final LocalDate today;
    private final List<String> faults = new ArrayList<>();

    private Dependencies(Path root, LocalDate today) {
        this.root = root;
        this.today = today;
    }

    public static void main(String[] args) throws Exception {
        LocalDate today = args.length > 1 ? LocalDate.parse(args[1]) : LocalDate.now();
        Dependencies dependencies = new Dependencies(Path.of(args[0]), today);
        dependencies.check();
        if (args.length > 2) {
            dependencies.checkSbom(Files.readString(Path.of(args[2])));
        }
        dependencies.faults.forEach(fault -> System.err.println("FAILED: " + fault));
        System.exit(dependencies.faults.isEmpty() ? 0 : 1);
    }

    private void check() throws Exception {
        Map<String, String> versions = new TreeMap<>();
        List<Library> libraries = new ArrayList<>();
        List<Document> poms = new ArrayList<>();
        poms.add(pom(root.resolve("pom.xml")));
        for (String module : MODULES) {
            if (Files.exists(root.resolve(module + "/pom.xml"))) {
                poms.add(pom(root.resolve(module + "/pom.xml")));
            }
        }
        poms.forEach(pom -> versions.putAll(properties(pom)));
        poms.forEach(pom -> libraries.addAll(declared(pom, versions)));
        libraries.addAll(built());
        ages(versions);
        List<Vulnerable> list = vulnerable();
        for (Library library : libraries) {
            for (Vulnerable entry : list) {
                if (entry.concerns(library)) {
                    faults.add(library + " is vulnerable: " + entry.id() + ", fixed in " + entry.fixed() + "; see "
                            + entry.source());
                }
            }
        }
        System.out.println(libraries.size() + " libraries compared with " + list.size() + " known vulnerabilities");
    }

    private static Document pom(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(file.toFile());
    }

    /** Properties that are versions of something else. */
    private static Map<String, String> properties(Document pom) {
        Map<String, String> found = new HashMap<>();
        NodeList blocks = pom.getDocumentElement().getElementsByTagName("properties");
        for (Element block : elements(blocks)) {
            for (Element property : elements(block.getChildNodes())) {
                if (property.getTagName().endsWith(".version")) {
                    String name = property.getTagName();
                    found.put(
                            name.substring(0, name.length() - ".version".length()),
                            property.getTextContent().strip());
                }
            }
        }
        return found;
    }

    /** Whatever a pom names with a version. */
    private List<Library> declared(Document pom, Map<String, String> versions) {
        List<Library> found = new ArrayList<>();
        for (Element version : elements(pom.getElementsByTagName("version"))) {
            Element owner = (Element) version.getParentNode();
            if (!List.of("dependency", "plugin", "path").contains(owner.getTagName())) {
                continue;
            }
            String text = version.getTextContent().strip();
            String artifact = child(owner, "artifactId");
            Matcher property = PROPERTY.matcher(text);
            if (text.equals("${project.version}")) {
                continue;
            }
            if (!property.matches() || !versions.containsKey(property.group(1))) {
                faults.add("the version of " + artifact + " is not a property such as ${netty.version}: " + text);
                continue;
            }
            String group = child(owner, "groupId");
            found.add(new Library(
                    group.isEmpty() ? "org.apache.maven.plugins" : group,
                    artifact,
                    versions.get(property.group(1)),
                    "pom",
                    false));
        }
        return found;
    }

    private List<Library> built() throws IOException {
        List<Library> found = new ArrayList<>();
        for (String module : SHIPPED) {
            Path folder = root.resolve(module + "/target/lib");
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> jars = Files.list(folder)) {
                for (Path jar : jars.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList()) {
                    found.addAll(inJar(jar, module));
                }
            }
        }
        return found;
    }

    /** By what Maven left in the jar, which also tells of libraries that were packed into another; or else by its name. */
    private static List<Library> inJar(Path jar, String module) throws IOException {
        List<Library> found = new ArrayList<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream()
                    .filter(one -> one.getName().endsWith("/pom.properties"))
                    .toList()) {
                Properties properties = new Properties();
                try (InputStream in = zip.getInputStream(entry)) {
                    properties.load(in);
                }
                String artifact = properties.getProperty("artifactId", "");
                found.add(new Library(
                        properties.getProperty("groupId", ""),
                        artifact,
                        properties.getProperty("version", ""),
                        module,
                        !jar.getFileName().toString().startsWith(artifact)));
            }
        }
        Matcher name = JAR.matcher(jar.getFileName().toString());
        if (found.isEmpty() && name.matches()) {
            found.add(new Library("", name.group(1), name.group(2), module, false));
        }
        return found;
    }

    private void ages(Map<String, String> versions) throws IOException {
        Map<String, Release> known = new HashMap<>();
        for (String[] row : rows("dependencies.tsv", 5)) {
            known.put(
                    row[0],
                    new Release(
                            row[1],
                            row[2].equals("unknown") ? Optional.empty() : Optional.of(LocalDate.parse(row[2]))));
        }
        System.out.printf("%-28s %-16s %-11s %s%n", "dependency", "version", "released", "age");
        versions.forEach((name, version) -> {
            Release release = known.get(name);
            if (release == null || !release.version().equals(version)) {
                faults.add("build-tools/dependencies.tsv has no row for " + name + " " + version
                        + ": look up when it was released and add it");
            } else {
                String date = release.date().map(LocalDate::toString).orElse("unknown");
                String age = release.date()
                        .map(day -> ChronoUnit.MONTHS.between(day, today) + " months")
                        .orElse("");
                System.out.printf("%-28s %-16s %-11s %s%n", name, version, date, age);
            }
        });
        TreeSet<String> unused = new TreeSet<>(known.keySet());
        unused.removeAll(versions.keySet());
        unused.forEach(
                name -> faults.add("build-tools/dependencies.tsv has a row for " + name + ", which no pom names"));
    }

    private List<Vulnerable> vulnerable() throws IOException {
        return rows("known-vulnerable.tsv", 6).stream()
                .map(row -> new Vulnerable(row[0], row[1], row[2], row[3], row[4]))
                .toList();
    }

    private List<String[]> rows(String file, int columns) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(root.resolve("build-tools").resolve(file))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] row = line.split("\t", -1);
            if (row.length == columns) {
                rows.add(row);
            } else {
                faults.add("build-tools/" + file + " has a row without " + columns + " columns: " + line);
            }
        }
        return rows;
    }

    /** The SBOM is made by a tool that resolves for itself; what is shipped must be in it. */
    private void checkSbom(String sbom) throws IOException {
        if (!sbom.contains("\"CycloneDX\"")) {
            faults.add("the SBOM is not one of CycloneDX");
        }
        for (Library library : built()) {
            String name =
                    library.group().isEmpty() ? "/" + library.artifact() : library.group() + "/" + library.artifact();
            if (!library.packed() && !sbom.contains(name + "@" + library.version())) {
                faults.add("the SBOM lacks " + library);
            }
        }
    }

    /** As Maven orders plain versions: numbers by value, words such as alpha before the release, Final and the like not at all. */
    private static int compare(String one, String other) {
        List<String> left = parts(one);
        List<String> right = parts(other);
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            String a = i < left.size() ? left.get(i) : "0";
            String b = i < right.size() ? right.get(i) : "0";
            int order = isNumber(a) && isNumber(b)
                    ? Long.compare(Long.parseLong(a), Long.parseLong(b))
                    : isNumber(a) ? 1 : isNumber(b) ? -1 : a.compareTo(b);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<String> parts(String version) {
        return Stream.of(version.toLowerCase(java.util.Locale.ROOT)
                        .split("[.-]|(?<=[0-9])(?=[a-z])|(?<=[a-z])(?=[0-9])", -1))
                .filter(part -> !List.of("final", "ga", "release", "jre", "").contains(part))
                .toList();
    }

    private static boolean isNumber(String part) {
        return Character.isDigit(part.charAt(0));
    }

    private static String child(Element owner, String name) {
        for (Element child : elements(owner.getChildNodes())) {
            if (child.getTagName().equals(name)) {
                return child.getTextContent().strip();
            }
        }
        return "";
    }

    private static List<Element> elements(NodeList nodes) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i).getNodeType() == Node.ELEMENT_NODE) {
                elements.add((Element) nodes.item(i));
            }
        }
        return elements;
    }
}
