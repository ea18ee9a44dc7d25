package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.json.PackedCursor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layer of a template, an environment or a workspace; kept with its document, since many clusters read it.
 *
 * @param serviceAccount what a workspace's own deliveries are made under
 */
public record SharedLayer(
        Layer layer,
        Map<String, Layer> byEnvironment,
        @Nullable String serviceAccount) {
    public static SharedLayer of(Document document) {
        return document.derive(SharedLayer::read);
    }

    private static SharedLayer read(Document document) {
        PackedCursor cursor = document.cursor();
        LayerReader reader = new LayerReader();
        Map<String, Layer> byEnvironment = new HashMap<>();
        String serviceAccount = null;
        for (String field : cursor.object()) {
            if (field.equals("by_environment")) {
                for (String environment : cursor.object()) {
                    byEnvironment.put(environment, LayerReader.layer(cursor));
                }
            } else if (field.equals("service_account")) {
                serviceAccount = cursor.text();
            } else if (!reader.read(field, cursor)) {
                cursor.skip();
            }
        }
        return new SharedLayer(reader.done(), Map.copyOf(byEnvironment), serviceAccount);
    }
}
