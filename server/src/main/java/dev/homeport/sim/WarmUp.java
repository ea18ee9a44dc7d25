package dev.homeport.sim;

/** Clusters begin at a rate that grows evenly during the warm-up, and at the full one from then on. */
final class WarmUp {
    private WarmUp() {}

    /**
     * When a client that would start at a given time starts with a warm-up.
     *
     * @param otherwise seconds after the start, without a warm-up
     * @param warmUp seconds
     */
    static double begins(double otherwise, double warmUp) {
        return otherwise < warmUp / 2 ? Math.sqrt(2 * warmUp * otherwise) : otherwise + warmUp / 2;
    }
}
