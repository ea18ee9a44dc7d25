package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Values that mean something to YAML or to a template are values. All that is made meanwhile is counted. */
@OutsideIn
@Order(5)
@ResourceLock(Stack.FIRST)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class HostileValuesTest {
    /** What other encoders of JSON print or sort otherwise: the cluster computes the digest of it as Homeport does. */
    private static final String ODD = """
            {"numbers": [1.5, 1e-7, 0.1, 9007199254740991, -9007199254740991, -0.0], "empty": {}, "none": [],
             "html": "<&>", "\ud83d\ude00": 1, "\ufb00": 2, "\u00e9": {"\ue000": 1, "\ud83d\ude00": 2}}""";

    private final Managed dev = Managed.first();

    @Test
    void hostileValuesArriveExactlyAndMakeNothingElse() {
        List<String> hostile = List.of(
                "\"",
                "'",
                "\\",
                "a: b",
                "a #b",
                "# c",
                "- d",
                "{{ .Release.Name }}",
                "<< inputs.id >>",
                "<<",
                ">>",
                "x\nkind: Secret\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: injected}\n",
                "yes",
                "null",
                "0o17",
                "1e3",
                "1.10",
                "2026-11-15",
                "!!binary x",
                "&a *a",
                "%YAML",
                "`",
                "@",
                "|",
                ">",
                "? x",
                "\t",
                " lead",
                "trail ",
                "\ud83d\ude00",
                "\ufeff",
                "${HOME}",
                "$(id)",
                "]]",
                "}}",
                "---",
                "...");
        ObjectNode values = JsonMapper.shared().createObjectNode();
        for (int i = 0; i < hostile.size(); i++) {
            values.put("v" + i, hostile.get(i));
        }
        ObjectNode spec = JsonMapper.shared().createObjectNode();
        ArrayNode raw = spec.putArray("raw_paths");
        values.propertyNames().forEach(raw::add);
        spec.set("values", values.deepCopy().set("odd", JsonMapper.shared().readTree(ODD)));
        dev.helm("hostile", spec.toString());
        dev.homeport.create("namespaces", "hostile", """
                {"annotations": {"note": "x: kind # --- << fail \\"no\\" >> {{ }} \\"quoted\\""}}""");
        dev.assign("namespaces", "hostile");
        dev.kube.await(Kind.NAMESPACE, "", "hostile");
        Set<String> before = dev.kube.settledBelongings().keySet();
        dev.assign("platform_components", "hostile");
        dev.awaitHealthy("hostile");
        ObjectNode running = (ObjectNode) dev.running("hostile");
        running.remove(List.of("replicas", "odd"));
        assertThat(running).isEqualTo(values);
        assertThat(dev.kube.await(Kind.NAMESPACE, "", "hostile").getMetadata().getAnnotations())
                .containsEntry("note", "x: kind # --- << fail \"no\" >> {{ }} \"quoted\"");
        Set<String> made = new TreeSet<>(dev.kube.belongings().keySet());
        made.removeAll(before);
        assertThat(made)
                .as("one set, one source, one release with its record, one object of the chart")
                .allMatch(object -> object.contains("hostile"))
                .hasSize(5);
    }
}
