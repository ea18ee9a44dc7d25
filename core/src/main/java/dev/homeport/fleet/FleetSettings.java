package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The document {@code settings/fleet}, with defaults for what it leaves out.
 *
 * @param witnesses whether clusters are asked what is on them
 */
public record FleetSettings(int answerFormat, int maxClustersLosing, double maxShareLosing, boolean witnesses) {
    public static final String ID = "fleet";
    public static final FleetSettings DEFAULT = new FleetSettings(1, 5, 0.01, true);

    public static FleetSettings of(FleetView view) {
        @Nullable Document document = view.document(Types.SETTINGS, ID);
        return document == null ? DEFAULT : document.derive(FleetSettings::read);
    }

    /** For what must go on when the document cannot be read: the safe standard. */
    public static FleetSettings orStandard(FleetView view) {
        Document document = view.document(Types.SETTINGS, ID);
        return document == null || document.fault().isPresent() ? DEFAULT : of(view);
    }

    /** Whether every answer of one view is another one in the other, since they are of different formats. */
    public static boolean isReformatted(FleetView before, FleetView after) {
        return orStandard(before).answerFormat != orStandard(after).answerFormat;
    }

    /** Whether answers go back to an older format. One that cannot be read may have been the newest. */
    public static boolean isLowered(FleetView before, FleetView after) {
        Document document = before.document(Types.SETTINGS, ID);
        boolean unknown = document != null && document.fault().isPresent();
        int old = unknown ? Rendering.NEWEST_FORMAT : orStandard(before).answerFormat;
        return document != after.document(Types.SETTINGS, ID) && orStandard(after).answerFormat < old;
    }

    private static FleetSettings read(Document document) {
        JsonNode body = document.tree();
        JsonNode guards = body.path("guards");
        return new FleetSettings(
                body.path("answer_format").intValue(DEFAULT.answerFormat),
                guards.path("max_clusters_losing").intValue(DEFAULT.maxClustersLosing),
                guards.path("max_share_losing").doubleValue(DEFAULT.maxShareLosing),
                body.path("witnesses").booleanValue(DEFAULT.witnesses));
    }
}
