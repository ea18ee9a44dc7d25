package dev.homeport.server.state;

import dev.homeport.observe.ClusterState;
import java.time.Instant;

/**
 * A cluster came from one state into another.
 *
 * @param number counts changes as this process saw them
 */
public record StateChange(long number, String cluster, ClusterState was, ClusterState is, Instant at) {}
