package dev.homeport.fleet;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;

/** What one layer says about one component's values, as leaf paths. */
public record ComponentPatches(SortedMap<String, JsonNode> leaves, List<String> removed, Map<String, Note> notes) {}
