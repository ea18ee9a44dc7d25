package dev.homeport.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.homeport.json.RandomJson;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Violation;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

class DocumentRulesTest {
    private static final TypeDefinition CLUSTER =
            BuiltInTypes.catalog().named(Types.CLUSTER).orElseThrow();

    static List<String> types() {
        return HostileDocuments.types();
    }

    @Test
    void anImportedClusterMayLackItsOwner() {
        ObjectNode cluster = HostileDocuments.sound(Types.CLUSTER);
        cluster.remove("owner");
        assertEquals(List.of("/owner"), pointers(check(cluster, Leniency.STRICT)));
        assertEquals(List.of(), check(cluster, Leniency.IMPORTED));
        cluster.put("owner", "");
        assertEquals(List.of("/owner"), pointers(check(cluster, Leniency.IMPORTED)));
        cluster.remove("environment");
        assertEquals(
                List.of("/environment", "/owner"),
                pointers(check(cluster, Leniency.IMPORTED)).stream().sorted().toList());
    }

    @Test
    void documentsOfTheServiceThatIsReplacedPass() {
        ObjectNode cluster = StrictJson.read("""
                {"id":"demo-cluster-01","cluster_name":"demo-cluster-01","cluster_dns":"demo-cluster-01.k8s.example.com",
                 "environment":"dev","platform_components":[{"id":"podinfo","enabled":true,"oci_tag":"latest"}],
                 "namespaces":[{"id":"podinfo"}],"rolebindings":[{"id":"dev-admins"}],
                 "patches":{"podinfo":{"REPLICA_COUNT":"2","ui.message":"hi"}},"node_count":3,"vm_image":"ubuntu-22.04"}""");
        assertEquals(List.of(), DocumentRules.check(CLUSTER, "demo-cluster-01", cluster, Leniency.IMPORTED));
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        ObjectNode cluster = HostileDocuments.sound(Types.CLUSTER);
        cluster.put("cluster_dns", "NO").put("protected", "x").put("extra", 1);
        cluster.withObject("/patches/grafana").put("a..b", 1);
        assertEquals(
                List.of("/cluster_dns", "/extra", "/patches/grafana/a..b", "/protected"),
                pointers(check(cluster, Leniency.STRICT)).stream().sorted().toList());
    }

    @Test
    void aMisspeltFieldIsRecognised() {
        ObjectNode cluster = HostileDocuments.sound(Types.CLUSTER).put("enviroment", "prod");
        assertEquals(
                "did you mean environment?",
                check(cluster, Leniency.STRICT).getFirst().fix());
    }

    @Test
    void longValuesAreNotRepeatedAndControlCharactersAreEscaped() {
        ObjectNode cluster = HostileDocuments.sound(Types.CLUSTER);
        cluster.put("vm_image", "X\u001b[31m" + "y".repeat(200));
        String detail = check(cluster, Leniency.STRICT).stream()
                .filter(violation -> violation.pointer().equals("/vm_image"))
                .findFirst()
                .orElseThrow()
                .detail();
        assertTrue(detail.length() < 120 && detail.contains("\\u001b"), detail);
    }

    @ParameterizedTest
    @MethodSource("types")
    void anythingAtAllGetsAnAnswer(String name) {
        TypeDefinition type = HostileDocuments.catalog().named(name).orElseThrow();
        SplittableRandom random = new SplittableRandom(name.hashCode());
        for (int i = 0; i < 1_000; i++) {
            ObjectNode body = HostileDocuments.sound(name);
            List<String> fields = List.copyOf(body.propertyNames());
            body.set(fields.get(random.nextInt(fields.size())), RandomJson.value(random, 3));
            DocumentRules.check(type, "x", body, Leniency.STRICT);
            SecretScan.scan(type, body);
        }
    }

    @Test
    void manyThreadsMayCheckAtOnce() {
        TypeDefinition fresh =
                HostileDocuments.catalog().named("network_policy").orElseThrow();
        ObjectNode sound = HostileDocuments.sound("network_policy");
        ObjectNode broken = HostileDocuments.sound("network_policy").put("level", "ajar");
        IntStream.range(0, 4_000).parallel().forEach(i -> {
            assertEquals(List.of(), DocumentRules.check(fresh, "deny-all", sound, Leniency.STRICT));
            assertEquals(
                    1,
                    DocumentRules.check(fresh, "deny-all", broken, Leniency.STRICT)
                            .size());
        });
    }

    private static List<Violation> check(ObjectNode cluster, Leniency leniency) {
        return DocumentRules.check(CLUSTER, "eu-1", cluster, leniency);
    }

    private static List<String> pointers(List<Violation> found) {
        return found.stream().map(Violation::pointer).toList();
    }
}
