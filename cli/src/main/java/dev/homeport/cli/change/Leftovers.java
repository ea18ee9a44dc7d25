package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.DocumentFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** What the server has of the types in some files, and the files do not. */
public final class Leftovers {
    private Leftovers() {}

    public static List<Reference> of(
            List<DocumentFiles.Entry> entries, HomeportClient client, SelectOptions selection, ServerOptions server) {
        Set<String> named = new HashSet<>();
        Set<String> types = new TreeSet<>();
        for (DocumentFiles.Entry entry : entries) {
            Kind kind = Kind.of(entry.type(), client);
            named.add(kind.name() + "/" + entry.id());
            types.add(kind.plural());
        }
        List<Reference> gone = new ArrayList<>();
        for (String type : types) {
            Kind kind = Kind.of(type, client);
            SelectOptions.Query query = kind.equals(Kind.CLUSTER) || selection.workspace == null
                    ? selection.query(kind, server)
                    : new SelectOptions.Query(Optional.empty(), Optional.of("id = \"\""));
            for (JsonNode document : SelectOptions.all(client, kind, query, Optional.empty())) {
                Reference one = new Reference(kind, document.path("id").asString(""));
                boolean leaving =
                        document.path("status").path("phase").asString("").equals("leaving");
                if (!named.contains(one.toString()) && !leaving) {
                    gone.add(one);
                }
            }
        }
        return gone;
    }
}
