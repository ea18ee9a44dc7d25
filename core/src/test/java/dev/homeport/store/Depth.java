package dev.homeport.store;

/** How much a test tries, by the property homeport.depth. */
final class Depth {
    private Depth() {}

    static int of(int quick, int normal, int asLong) {
        return switch (System.getProperty("homeport.depth", "normal")) {
            case "quick" -> quick;
            case "long" -> asLong;
            default -> normal;
        };
    }
}
